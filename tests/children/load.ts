// Loads the package without using it.
import * as door from "../../mod.ts";

console.log(Object.keys(door).includes("openWorkspace"));
