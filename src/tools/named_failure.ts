// Runtime-agnostic.
import { checkValue, isA } from "../core/base/check.ts";
import { ReadFileErrorOf, refuseFailure } from "../core/base/errors.ts";
import type { ReadFileErrorChanges } from "../core/base/errors.ts";
import type { ReadFileErrorCode } from "../core/base/errors.ts";
import type { ReadFileError } from "../core/base/errors.ts";
import type { ReadFileErrorWords } from "../core/base/errors.ts";

/** A failure with a tool's own name; {@linkcode with} keeps its class. */
export abstract class NamedFailure<Code extends ReadFileErrorCode>
  extends ReadFileErrorOf<Code> {
  /** Constructs a new instance from a failure, with the tool's words. */
  constructor(error: ReadFileErrorOf<Code>, words?: ReadFileErrorWords) {
    checkValue("error", error, FAILURE, refuseFailure);
    const { code, path, details, options } = error;
    super(code, path, details, words ? { ...options, words } : options);
  }

  override with(changes: ReadFileErrorChanges<Code>): ReadFileError<Code> {
    const Same = this.constructor as new (error: unknown) => this;
    return new Same(super.with(changes)) as never;
  }
}

const FAILURE = {
  wanted: "a ReadFileError",
  fits: (value: unknown) => isA(value, ReadFileErrorOf),
};
