/** Preloaded for tests: the kernel in plain JavaScript scans all that they read. */
import { BUFFER_BYTES } from "../../../src/core/base/limits.ts";
import { plainKernel } from "../../../src/core/lines/scan.ts";
import { scanAlone } from "./alone.ts";

scanAlone(() => plainKernel(BUFFER_BYTES));
