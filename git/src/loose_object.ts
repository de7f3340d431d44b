import type { Workspace } from "@agent-tools/read-file";
import {
  type Copy,
  MAX_LARGE_BYTES,
  MAX_WHOLE_BYTES,
  type Whole,
} from "./copy.ts";
import { Segments } from "./delta.ts";
import { damaged, type Fault, tooLarge } from "./fault.ts";
import type { ObjectType } from "./hash.ts";
import { inflate, inflateHead, inflateParts, mostInput } from "./inflate.ts";
import type { LargeSource } from "./large_blob.ts";
import {
  latin1,
  openKept,
  partsOf,
  readExactly,
  type Reading,
} from "./reading.ts";

/** The most bytes before the content of a loose object. */
const MAX_HEAD_BYTES = 32;
/** How much of the file is read to find them. */
const MAX_HEAD_INPUT = 8192;

/** An object in a file of its own. */
export class LooseObject implements Copy {
  readonly #place: Workspace;
  readonly #path: string;

  constructor(place: Workspace, path: string) {
    this.#place = place;
    this.#path = path;
  }

  async size(reading: Reading): Promise<number> {
    return (await this.#head(reading)).size;
  }

  async whole(reading: Reading): Promise<Whole | undefined> {
    const { file, type, size, contentAt } = await this.#head(reading);
    if (size > MAX_WHOLE_BYTES) return undefined;
    const length = file.stat.size;
    if (length > mostInput(size + contentAt)) throw this.#broken();
    const input = await readExactly(file, 0, length);
    const inflated = inflate(input, size + contentAt);
    if (typeof inflated === "string" || inflated.used !== length) {
      throw this.#broken();
    }
    return { type, bytes: inflated.bytes.subarray(contentAt) };
  }

  async large(reading: Reading): Promise<LargeSource> {
    const { type, size, contentAt } = await this.#head(reading);
    if (size > MAX_LARGE_BYTES) {
      throw tooLarge("a file of the repository", size, MAX_LARGE_BYTES);
    }
    const file = await openKept(reading, this.#place, this.#path);
    const begin = () =>
      skip(inflateParts(partsOf(file, 0, file.stat.size)), contentAt);
    const segments = Segments.all(size);
    return { type, file, segments, baseSize: size, begin };
  }

  /** The type and the size, and where the content begins. */
  async #head(reading: Reading) {
    const file = await reading.open(this.#place, this.#path);
    if (file === undefined) throw this.#broken();
    const length = Math.min(file.stat.size, MAX_HEAD_INPUT);
    const head = inflateHead(
      await readExactly(file, 0, length),
      MAX_HEAD_BYTES,
    );
    if (head === "broken") throw this.#broken();
    const text = latin1(head);
    const match = /^(commit|tree|blob|tag) (0|[1-9]\d{0,15})\0/.exec(text);
    if (match === null) throw this.#broken();
    const [{ length: contentAt }, type, digits] = match;
    // Cast: the pattern has the types.
    return { file, type: type as ObjectType, size: Number(digits), contentAt };
  }

  #broken(): Fault {
    const oid = this.#path.replace("/", "");
    return damaged(`the loose object ${oid} is broken`);
  }
}

/** The parts without the first `count` bytes. */
async function* skip(parts: AsyncIterable<Uint8Array>, count: number) {
  for await (const part of parts) {
    if (count < part.length) yield part.subarray(count);
    count = Math.max(0, count - part.length);
  }
}
