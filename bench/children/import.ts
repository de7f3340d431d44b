// Imports the package and does nothing with it.
import "../../mod.ts";
