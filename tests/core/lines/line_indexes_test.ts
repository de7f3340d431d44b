import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { FileStat } from "../../../mod.ts";
import {
  CHUNK_BYTES,
  CLOCK_GRAIN_MS,
  MAX_INDEX_BYTES,
} from "../../../src/core/base/limits.ts";
import { FileIndex, LineIndexes } from "../../../src/core/lines/line_index.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

const STAT: FileStat = {
  kind: "file",
  size: MIB,
  mtimeMs: 1,
  ctimeMs: 1,
  id: "x",
};

describe("FileIndex", () => {
  it("finds the last place before a line", () => {
    const index = new FileIndex(STAT);
    const noted = [1, 2, 3].map((at) => ({
      position: at * CHUNK_BYTES,
      passed: at * 10,
    }));
    for (const { position, passed } of noted) index.note(position, passed);
    const beginning = { position: 0, passed: 0 };
    assertEquals(index.before(0), beginning);
    // A place after ten line feeds may be inside line eleven.
    assertEquals(index.before(10), beginning);
    assertEquals(index.before(11), noted[0]);
    assertEquals(index.before(30), noted[1]);
    assertEquals(index.before(Infinity), noted[2]);
  });
  it("ignores a place close to another, or before it", () => {
    const index = new FileIndex(STAT);
    index.note(CHUNK_BYTES - 1, 1);
    assertEquals(index.places, 0);
    index.note(5 * CHUNK_BYTES, 10);
    index.note(2 * CHUNK_BYTES, 4);
    index.note(6 * CHUNK_BYTES - 1, 11);
    assertEquals(index.places, 1);
    assertEquals(index.before(Infinity).passed, 10);
  });
  it("drops places to use at most a quarter of the memory", () => {
    const index = new FileIndex(STAT);
    const COUNT = 300_000;
    for (let at = 1; at <= COUNT; at++) index.note(at * CHUNK_BYTES, at * 10);
    assert(index.bytes <= MAX_INDEX_BYTES / 4 + 4 * KIB, `${index.bytes}`);
    assert(index.places >= 30_000, `${index.places} places`);
    for (const line of [1, 10, 999_999, 2_345_678, COUNT * 10]) {
      const { position, passed } = index.before(line);
      assert(passed < line && passed >= line - 10 * 16, `${line}: ${passed}`);
      assertEquals(position, passed / 10 * CHUNK_BYTES);
    }
  });
  it("keeps every second place, and continues at twice the distance", () => {
    const index = new FileIndex(STAT);
    let last = 0;
    const noteNext = () => {
      index.note(++last * CHUNK_BYTES, last * 10);
      return index.places;
    };
    let held = 0;
    while (held === last) held = noteNext();
    assertEquals(held, last / 2);
    const placeOf = (at: number) => ({
      position: at * CHUNK_BYTES,
      passed: at * 10,
    });
    assertEquals(index.before(Infinity), placeOf(last));
    assertEquals(index.before(last * 10 - 9), placeOf(last - 2));
    assertEquals(index.before(21), placeOf(2));
    assertEquals(noteNext(), held);
    assertEquals(noteNext(), held + 1);
    assertEquals(index.before(Infinity), placeOf(last));
  });
});

describe("LineIndexes", () => {
  const LATER = CLOCK_GRAIN_MS + 10;

  /** Makes and keeps an index. */
  function learnt(indexes: LineIndexes, stat: FileStat): FileIndex {
    const index = indexes.of(stat, LATER)!;
    index.total = 7;
    indexes.keep(index);
    return index;
  }

  /** About how many bytes the indexes of the files from 0 on take. */
  function bytesOf(indexes: LineIndexes, count: number): number {
    const ids = Array.from({ length: count }, (_, id) => `${id}`);
    return ids.reduce((sum, id) => sum + (indexes.get(id)?.bytes ?? 0), 0);
  }

  it("returns only the index of the same version", () => {
    const indexes = new LineIndexes();
    const index = learnt(indexes, STAT);
    assertEquals(indexes.of({ ...STAT }, LATER) === index, true);
    const changes: readonly Partial<FileStat>[] = [
      { size: MIB + 1 },
      { size: MIB - 1 },
      { mtimeMs: 2 },
      { ctimeMs: 2 },
      { ctimeMs: null, remote: true },
    ];
    for (const change of changes) {
      const indexes = new LineIndexes();
      learnt(indexes, STAT);
      assertEquals(indexes.of({ ...STAT, ...change }, LATER)?.total, null);
      // The index of the old version is gone.
      assertEquals(indexes.of(STAT, LATER)?.total, null);
    }
    // Without a ctime, no version is known to be the same.
    assertEquals(indexes.of({ ...STAT, ctimeMs: null }, LATER), undefined);
    learnt(indexes, STAT);
    assertEquals(indexes.of({ ...STAT, id: "y" }, LATER)?.total, null);
    assertEquals(indexes.of(STAT, LATER)?.total, 7);
  });
  it("keeps no index of a file that changed within the resolution of the clock", () => {
    const indexes = new LineIndexes();
    const changed = { ...STAT, mtimeMs: 1_000, ctimeMs: 1_000 };
    assertEquals(indexes.of(changed, 1_000 + CLOCK_GRAIN_MS), undefined);
    assert(indexes.of(changed, 1_001 + CLOCK_GRAIN_MS) !== undefined);
    const renamed = { ...changed, mtimeMs: 1 };
    assertEquals(indexes.of(renamed, 1_000 + CLOCK_GRAIN_MS), undefined);
  });
  it("keeps no index of a file on a disk without a ctime: its mtime may be set back", () => {
    const indexes = new LineIndexes();
    const untimed = { ...STAT, ctimeMs: null };
    assertEquals(indexes.of(untimed, LATER), undefined);
    assert(indexes.of({ ...untimed, remote: true }, LATER) !== undefined);
  });
  it("keeps no empty index", () => {
    const indexes = new LineIndexes();
    const index = indexes.of(STAT, LATER)!;
    indexes.keep(index);
    assert(indexes.of(STAT, LATER) !== index);
  });
  it("stays within its limit, and drops the least recently used", () => {
    const indexes = new LineIndexes();
    const statOf = (id: number) => ({ ...STAT, id: `${id}` });
    const FILES = 3_000;
    for (let id = 0; id < FILES; id++) {
      learnt(indexes, statOf(id));
      // The first index is used repeatedly.
      const first = indexes.of(statOf(0), LATER)!;
      assertEquals(first.total, 7, `after ${id} others`);
      indexes.keep(first);
    }
    const bytes = bytesOf(indexes, FILES);
    assert(bytes <= MAX_INDEX_BYTES, `${bytes} bytes`);
    assert(bytes > MAX_INDEX_BYTES / 2, `${bytes} bytes`);
    assertEquals(indexes.of(statOf(FILES - 1), LATER)?.total, 7);
    assertEquals(indexes.of(statOf(1), LATER)?.total, null);
  });
  it("uses at most 4 MiB for files of any size", () => {
    const indexes = new LineIndexes();
    for (let id = 0; id < 9; id++) {
      const index = indexes.of({ ...STAT, id: `${id}` }, LATER)!;
      for (let at = 1; at <= 70_000; at++) index.note(at * CHUNK_BYTES, at);
      indexes.keep(index);
      const bytes = bytesOf(indexes, 9);
      assert(bytes <= MAX_INDEX_BYTES, `${bytes} bytes`);
    }
    const bytes = bytesOf(indexes, 9);
    assert(bytes > MAX_INDEX_BYTES / 2, `${bytes} bytes`);
  });
  it("counts what failed reads have added", () => {
    const indexes = new LineIndexes();
    for (let id = 0; id < 9; id++) {
      const stat = { ...STAT, id: `${id}` };
      const index = learnt(indexes, stat);
      for (let at = 1; at <= 60_000; at++) index.note(at * CHUNK_BYTES, at);
      indexes.keep(indexes.get(stat.id)!);
      const bytes = bytesOf(indexes, 9);
      assert(bytes <= MAX_INDEX_BYTES, `${bytes} bytes`);
    }
  });
});
