// In Bun, resolves @std/* to npm's copy of these JSR packages, and the packages
// of this repository to their sources.
import map from "../npm_std.json" with { type: "json" };

/** The part of Bun that resolves imports. */
interface BunHost {
  plugin(options: {
    readonly name: string;
    setup(build: {
      module(name: string, load: () => Promise<LoadedModule>): void;
    }): void;
  }): void;
}

interface LoadedModule {
  readonly loader: "object";
  readonly exports: unknown;
}

const { Bun } = globalThis as unknown as { readonly Bun: BunHost };

Bun.plugin({
  name: "@std",
  setup(build) {
    for (const [name, target] of Object.entries(map.imports)) {
      if (!/^@(std|agent-tools)\//.test(name)) continue;
      // Deno's `npm:deno-std@1.4.0/…` is `deno-std/…` in Bun.
      const file = target.replace(/^npm:deno-std@[^/]+/, "deno-std")
        .replace(/^\.\.\//, "../../");
      build.module(name, async () => ({
        loader: "object",
        exports: await import(file),
      }));
    }
  },
});
