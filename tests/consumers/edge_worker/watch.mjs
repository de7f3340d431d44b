// Counts whoever tries to make code of text or of bytes, before anyone else is loaded.
export const attempts = [];

/** Puts a witness in the place of what makes code; it still fails as it would. */
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
  if (typeof make !== "function") throw new Error(`There is no ${name}`);
  const value = witness(name, make);
  Object.defineProperty(holder, key, { value });
  return value;
}

// Every function leads to the maker of its kind.
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
