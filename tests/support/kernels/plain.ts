/** Preloaded: the tests then scan with the JavaScript kernel. */
import { BUFFER_BYTES } from "../../../src/core/base/limits.ts";
import { plainKernel } from "../../../src/core/lines/scan.ts";
import { scanAlone } from "./alone.ts";

scanAlone(() => plainKernel(BUFFER_BYTES));
