// A worker that tries every way to compile code, and hides the failures.
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

const WAYS = {
  "a function's constructor": () => (() => {}).constructor("return 1")(),
  "an async function's": () => (async () => {}).constructor("return 1")(),
  "a generator's": () => (function* () {}).constructor("yield 1")(),
  "an async generator's": () =>
    (async function* () {}).constructor("yield 1")(),
  "Function": () => new Function("return 1")(),
  "eval": () => Reflect.apply(globalThis.eval, undefined, ["1"]),
  "WebAssembly.Module": () => new WebAssembly.Module(EMPTY),
  "WebAssembly.compile": () => WebAssembly.compile(EMPTY),
  "WebAssembly.instantiate": () => WebAssembly.instantiate(EMPTY),
};

export default {
  async fetch() {
    const names = {};
    for (const [way, attempt] of Object.entries(WAYS)) {
      try {
        await attempt();
        names[way] = "made";
      } catch (error) {
        names[way] = error.name;
      }
    }
    return Response.json(names);
  },
};
