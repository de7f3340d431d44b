import type { Matcher } from "./search.ts";
import { type Range, WORDS } from "./pattern.ts";
import { type Program, STEPS } from "./program.ts";

const LF = 0x0a;
const CR = 0x0d;

/** Table entries at which the loop stops. */
const UNKNOWN = -1;
const FOUND = -2;

/** What comes before or after a position in a line. */
const EDGE = 0;
const WORD = 1;
const OTHER = 2;

/** The most states to keep; at that number, all are dropped and made again. */
const MAX_STATES = 1000;

/** The most work of one call, in steps: about a millisecond. */
const MAX_WORK = 20_000;
/** How many bytes in known states take as long as a step in a new one. */
const BYTES_OF_STEP = 16;
/** The least work that is counted for a call, in steps. */
const LEAST_WORK = 8;

const NO_STEPS = new Uint32Array();

/** A set of steps that a line may have reached. */
interface State {
  readonly steps: Uint32Array;
  readonly before: number;
  /** Whether the pattern matches if the line ends here; `undefined` until computed. */
  atEnd: boolean | undefined;
  /** The next state for a carriage return inside a line, or `FOUND`; `undefined` until computed. The table has no place for it, since the byte after it decides. */
  afterReturn: number | undefined;
}

/**
 * Finds a pattern in linear time, as a deterministic automaton that is built
 * lazily: each state is a set of steps of the program. The number of states is
 * bounded, and so is memory.
 */
export class Automaton implements Matcher {
  readonly length = 0;
  readonly isAscii: boolean;
  readonly #program: Program;
  readonly #classes = new Uint8Array(256);
  /** How many classes there are. */
  #width = 0;
  #states: State[] = [];
  /** The states by a hash of their steps. */
  #ids = new Map<number, number[]>();
  #table: Int32Array = new Int32Array(0);
  #state = 0;
  #work = 0;
  /** Marks the steps that a closure has visited, and those that are reached after a byte. */
  readonly #seen: Uint32Array;
  readonly #taken: Uint32Array;
  #round = 0;
  /** The steps of a closure, and those after it: large sets are made for each byte. */
  readonly #ways: Uint32Array;
  readonly #next: Uint32Array;

  constructor(program: Program) {
    this.#program = program;
    const { kinds, highs } = program;
    this.isAscii = kinds.every((kind, step) =>
      kind !== STEPS.byte || highs[step]! < 0x80
    );
    const { length } = kinds;
    this.#seen = new Uint32Array(length);
    this.#taken = new Uint32Array(length);
    this.#ways = new Uint32Array(length);
    this.#next = new Uint32Array(length);
    this.#divide();
    this.begin();
  }

  begin(before?: number): void {
    const kind = before === undefined ? EDGE : isWord(before) ? WORD : OTHER;
    this.#state = this.#idOf(NO_STEPS, kind);
  }

  feed(
    { buffer }: { readonly buffer: Uint8Array },
    from: number,
    to: number,
    isEnd: boolean,
  ): number {
    this.#work += LEAST_WORK;
    if (this.#work >= MAX_WORK) {
      // The budget is used up: the caller yields, and calls again with the same bytes.
      // Otherwise some budget is left, so this call makes progress.
      this.#work = 0;
      return ~from;
    }
    const classes = this.#classes;
    const width = this.#width;
    let state = this.#state;
    let table = this.#table;
    let at = from;
    const most = (MAX_WORK - this.#work) * BYTES_OF_STEP;
    const stop = Math.min(to, from + most);
    while (at < stop) {
      const next = table[state * width + classes[buffer[at]!]!]!;
      if (next >= 0) {
        state = next;
        at++;
        continue;
      }
      if (next === FOUND) return this.#stop(state, from, at);
      if (this.#work >= MAX_WORK) break;
      if (buffer[at] !== CR) {
        state = this.#fill(state, buffer[at]!);
        table = this.#table;
        continue;
      }
      // Whether a carriage return is part of the line ending is not known yet.
      if (at + 1 === to && !isEnd) break;
      const isEnding = at + 1 < to && buffer[at + 1] === LF;
      const after = isEnding ? this.#endLine(state) : this.#return(state);
      if (after < 0) return this.#stop(state, from, at);
      state = after;
      table = this.#table;
      at += isEnding ? 2 : 1;
    }
    this.#stop(state, from, at);
    const isOver = isEnd && at === to;
    return isOver && this.#isFoundAtEnd(state) ? at : ~at;
  }

  #stop(state: number, from: number, at: number): number {
    this.#state = state;
    this.#work += (at - from) / BYTES_OF_STEP;
    return at;
  }

  /** Divides the bytes into classes that all steps treat alike. */
  #divide(): void {
    const { kinds, lows, highs } = this.#program;
    const ranges: Range[] = [[LF, LF], [CR, CR], ...WORDS];
    for (const [step, kind] of kinds.entries()) {
      if (kind === STEPS.byte) ranges.push([lows[step]!, highs[step]!]);
    }
    const edges = new Uint8Array(257);
    for (const [low, high] of ranges) edges[low] = edges[high + 1] = 1;
    for (let byte = 0; byte < 256; byte++) {
      if (byte === 0 || edges[byte] === 1) this.#width++;
      this.#classes[byte] = this.#width - 1;
    }
  }

  /** Returns the state of a set of steps; drops all states if there are too many. */
  #idOf(steps: Uint32Array, before: number): number {
    this.#work += steps.length;
    const hash = hashOf(steps, before);
    for (const id of this.#ids.get(hash) ?? []) {
      const state = this.#states[id]!;
      if (state.before === before && areEqual(state.steps, steps)) return id;
    }
    if (this.#states.length >= MAX_STATES) {
      this.#states = [];
      this.#ids.clear();
      this.#table.fill(UNKNOWN);
    }
    const unknown = { atEnd: undefined, afterReturn: undefined };
    const state = { steps: steps.slice(), before, ...unknown };
    const id = this.#states.push(state) - 1;
    const others = this.#ids.get(hash);
    if (others === undefined) this.#ids.set(hash, [id]);
    else others.push(id);
    const width = this.#width;
    if ((id + 1) * width > this.#table.length) {
      const grown = new Int32Array(2 * (id + 8) * width).fill(UNKNOWN);
      grown.set(this.#table);
      this.#table = grown;
    }
    return id;
  }

  /**
   * Fills in the table: the next state for a byte. This may drop all states and number
   * them anew, so it returns the number of the given state after that.
   */
  #fill(state: number, byte: number): number {
    const { steps, before } = this.#states[state]!;
    const next = byte === LF ? this.#endLine(state) : this.#step(state, byte);
    const here = this.#idOf(steps, before);
    this.#table[here * this.#width + this.#classes[byte]!] = next;
    return here;
  }

  /** The state at the beginning of the next line, or `FOUND` if the pattern matches this line. */
  #endLine(state: number): number {
    return this.#isFoundAtEnd(state) ? FOUND : this.#idOf(NO_STEPS, EDGE);
  }

  /** The state after a carriage return inside a line, or `FOUND` if the pattern matches before it. */
  #return(id: number): number {
    const state = this.#states[id]!;
    if (state.afterReturn !== undefined) return state.afterReturn;
    const after = this.#step(id, CR);
    // Otherwise all states were dropped, and this one has no number.
    if (this.#states[id] === state) state.afterReturn = after;
    return after;
  }

  /** The state after a byte, or `FOUND` if the pattern matches before it. */
  #step(state: number, byte: number): number {
    const { before, steps } = this.#states[state]!;
    const after = isWord(byte) ? WORD : OTHER;
    const ways = this.#closure(steps, before, after);
    if (ways === undefined) return FOUND;
    const { lows, highs, nexts } = this.#program;
    const [taken, next] = [this.#taken, this.#next];
    let count = 0;
    // Engines iterate over large typed arrays slowly.
    for (let at = 0; at < ways.length; at++) {
      const way: number = ways[at]!;
      const to = nexts[way]!;
      if (
        byte < lows[way]! || byte > highs[way]! || taken[to] === this.#round
      ) {
        continue;
      }
      taken[to] = this.#round;
      next[count++] = to;
    }
    return this.#idOf(next.subarray(0, count).sort(), after);
  }

  #isFoundAtEnd(id: number): boolean {
    const state = this.#states[id]!;
    const { steps, before } = state;
    return state.atEnd ??= this.#closure(steps, before, EDGE) === undefined;
  }

  /** The steps that wait for a byte, reached from `steps` and from the beginning; `undefined` if the pattern matches. */
  #closure(
    steps: Uint32Array,
    before: number,
    after: number,
  ): Uint32Array | undefined {
    const { kinds, lows, nexts, begin } = this.#program;
    const seen = this.#seen;
    const round = ++this.#round;
    const ways = this.#ways;
    let count = 0;
    const open: number[] = [];
    for (let at = 0; at < steps.length; at++) open.push(steps[at]!);
    open.push(begin);
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      if (seen[step] === round) continue;
      seen[step] = round;
      this.#work++;
      const kind = kinds[step]!;
      if (kind === STEPS.found) return undefined;
      if (kind === STEPS.byte) ways[count++] = step;
      // A split has two next steps. The other one is in `lows`, which it does not need
      // for a byte.
      else if (kind === STEPS.split) open.push(lows[step]!, nexts[step]!);
      else if (assertionHolds(kind, before, after)) open.push(nexts[step]!);
    }
    this.#work += count;
    return ways.subarray(0, count);
  }
}

function hashOf(steps: Uint32Array, before: number): number {
  let hash = before;
  for (let at = 0; at < steps.length; at++) {
    hash = Math.imul(hash ^ steps[at]!, 0x01000193);
  }
  return hash;
}

function areEqual(one: Uint32Array, other: Uint32Array): boolean {
  let at = one.length === other.length ? 0 : -1;
  while (at >= 0 && at < one.length && one[at] === other[at]) at++;
  return at === one.length;
}

function isWord(byte: number): boolean {
  return WORDS.some(([low, high]) => byte >= low && byte <= high);
}

function assertionHolds(kind: number, before: number, after: number): boolean {
  if (kind === STEPS.start) return before === EDGE;
  if (kind === STEPS.end) return after === EDGE;
  const isBoundary = (before === WORD) !== (after === WORD);
  return isBoundary === (kind === STEPS.boundary);
}
