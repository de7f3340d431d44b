// Records attempts to compile text or bytes to code. Loaded before all other modules.
export const attempts = [];

/** Wraps a function that compiles code, to record its calls; they still fail as before. */
function witness(name, make) {
  const note = () => attempts.push(name);
  return new Proxy(make, {
    apply(target, self, args) {
      note();
      return Reflect.apply(target, self, args);
    },
    construct(target, args, self) {
      note();
      return Reflect.construct(target, args, self);
    },
  });
}

function watch(holder, key, name) {
  const { [key]: make } = holder;
  if (typeof make !== "function") throw new Error(`${name} is missing`);
  const value = witness(name, make);
  Object.defineProperty(holder, key, { value });
  return value;
}

// A function's prototype leads to the constructor of its kind.
for (
  const [name, kind] of [
    ["Function", function () {}],
    ["AsyncFunction", async function () {}],
    ["GeneratorFunction", function* () {}],
    ["AsyncGeneratorFunction", async function* () {}],
  ]
) {
  const value = watch(Object.getPrototypeOf(kind), "constructor", name);
  if (name === "Function") Object.defineProperty(globalThis, name, { value });
}
watch(globalThis, "eval", "eval");
for (const key of ["Module", "compile", "instantiate", "validate"]) {
  watch(WebAssembly, key, `WebAssembly.${key}`);
}
