/** Throws an uncaught error; the argument is its kind. */
import { OpenFileError, ReadFileError } from "../../mod.ts";

const error = new ReadFileError("NOT_FOUND", "a.txt", { reason: "missing" });
throw process.argv[2] === "OpenFileError" ? new OpenFileError(error) : error;
