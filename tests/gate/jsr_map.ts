// The import map of the tests, with JSR's own @std, which is what ships.
import library from "../../deno.json" with { type: "json" };
import copies from "../npm_std.json" with { type: "json" };

/** Makes the import map; its paths are absolute, so that it may be in any folder. */
export function mapToJsr(): Record<string, string> {
  const own = new Map<string, string>(Object.entries(library.imports));
  const home = new URL("..", import.meta.url);
  return Object.fromEntries(
    Object.entries(copies.imports).map(([name, copy]) => {
      const [std = ""] = /^@std\/[^/]+/.exec(name) ?? [];
      const source = own.get(std);
      const place = copy.startsWith(".") ? new URL(copy, home).href : copy;
      return [name, source === undefined ? place : name.replace(std, source)];
    }),
  );
}
