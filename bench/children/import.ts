// Imports the package without using it.
import "../../mod.ts";
