// deno task docs:errors
import { errorsPage } from "./errors.ts";

await Deno.writeTextFile(
  new URL("../../docs/errors.md", import.meta.url),
  await errorsPage(),
);
