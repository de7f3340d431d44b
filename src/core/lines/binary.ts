// Runtime-agnostic.
import { whenThere } from "../awaitable.ts";
import { ReadFileError } from "../errors.ts";
import { SNIFF_BYTES } from "../limits.ts";
import type { ReadPolicy } from "../policy.ts";
import type { Awaitable, FileStat } from "../port.ts";
import type { Source } from "./source.ts";
import { isUtf8 } from "./utf8.ts";
import { refuseHuge } from "./window.ts";

/**
 * The bytes of a file that is not text.
 *
 * @example Usage
 * ```ts
 * import type { BinaryContent } from "@agent-tools/read-file";
 * import { memoryFs, openWorkspace, readFile } from "@agent-tools/read-file";
 * import { assert } from "@std/assert";
 *
 * const isPng = ({ bytes }: BinaryContent) => bytes[1] === 0x50 && bytes[2] === 0x4e;
 * const fs = memoryFs({ "/logo": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]) });
 * const workspace = await openWorkspace("/", { fs });
 * const logo = await readFile(workspace, "logo", { kind: "all" }, { binary: "bytes" });
 * assert(logo.kind === "binary" && isPng(logo));
 * ```
 */
export interface BinaryContent {
  /** Always `"binary"`. */
  readonly kind: "binary";
  /** The path that was asked for, from the root. */
  readonly path: string;
  /** What the file was when it was opened. */
  readonly stat: FileStat;
  /** Its bytes, from the first on. */
  readonly bytes: Uint8Array;
  /** Whether `maxWindowBytes` left some out. */
  readonly cut: boolean;
}

/** The content of a binary file, where the policy wants it as bytes; `BINARY` where it wants none. */
export function readBinary(
  source: Source,
  { binary = "replace", maxWindowBytes = Infinity }: ReadPolicy,
): Awaitable<BinaryContent | undefined> {
  if (binary === "replace" || binary === "reject-invalid") return undefined;
  return whenThere(source.loadHead(SNIFF_BYTES), () => {
    const length = Math.min(source.size, SNIFF_BYTES);
    const hasNul = source.kernel.hasNul(0, length);
    if (binary === "reject-nul") {
      if (!hasNul) return undefined;
      throw new ReadFileError("BINARY", source.path, { sign: "nul" });
    }
    const isText = !hasNul && (source.kernel.isAscii?.(0, length) ||
      isUtf8(source.view(0, length), { follow: length < source.size }));
    return isText ? undefined : readBytes(source, maxWindowBytes);
  });
}

async function readBytes(
  source: Source,
  maxWindowBytes: number,
): Promise<BinaryContent> {
  const { file: { path, stat }, size } = source;
  refuseHuge(source, Math.min(size, maxWindowBytes));
  const bytes = new Uint8Array(Math.min(size, maxWindowBytes));
  await source.copy(bytes, 0);
  return { kind: "binary", path, stat, bytes, cut: bytes.length < size };
}
