// In Node.js, resolves what tests import by the map of npm_std.json; Node.js 24 reads their types away.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";

const home = new URL("../npm_std.json", import.meta.url);
const { imports } = JSON.parse(readFileSync(home, "utf8"));
registerHooks({
  resolve(name, context, next) {
    const target = imports[name];
    if (target === undefined) return next(name, context);
    if (target.startsWith("../")) {
      return next(new URL(target, home).href, context);
    }
    // `npm:deno-std@1.4.0/…` is `deno-std/…`.
    const [, start, rest] = /^npm:(@?[^@]+)@[^/]+(.*)$/.exec(target);
    return next(start + rest, context);
  },
});
