/** Preloaded for tests, which then scan with the kernel in plain JavaScript. */
import { BUFFER_BYTES } from "../../../src/core/base/limits.ts";
import { plainKernel } from "../../../src/core/lines/scan.ts";
import { scanAlone } from "./alone.ts";

scanAlone(() => plainKernel(BUFFER_BYTES));
