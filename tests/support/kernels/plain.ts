/** Loaded before tests, lets the kernel in plain JavaScript scan all that they read. */
import { scanAlone } from "./alone.ts";

scanAlone(() => undefined);
