// Loads the package and does nothing with it.
import * as door from "../../mod.ts";

console.log(Object.keys(door).includes("openWorkspace"));
