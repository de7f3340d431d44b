/** Workspaces for `readMany()`, and summaries of its answers. */
import {
  type ManyAnswer,
  memoryFs,
  openWorkspace,
  type Workspace,
} from "../../mod.ts";

/** Lines of ten bytes each. */
export function linesOf(count: number): string {
  return "123456789\n".repeat(count);
}

/** A workspace with files at rest, so that pages that follow need no second read. */
export function openOn(
  files: Readonly<Record<string, string>>,
): Promise<Workspace> {
  const tree = Object.entries(files)
    .map(([name, content]) => [`/${name}`, { content, mtimeMs: 1 }]);
  return openWorkspace("/", { fs: memoryFs(Object.fromEntries(tree)) });
}

export type PageAnswer = Extract<ManyAnswer, { readonly kind: "page" }>;

/** The pages among the answers. */
export function pagesIn(answers: readonly ManyAnswer[]): PageAnswer[] {
  return answers.filter((answer) => answer.kind === "page");
}

/** How many bytes of the file a page shows. */
export function shownBy(
  { page: { shown: { start, end } } }: PageAnswer,
): number {
  return end - start;
}

/** For each answer, how many bytes it shows, or its kind. */
export function told(answers: readonly ManyAnswer[]): (number | string)[] {
  return answers.map((answer) =>
    answer.kind === "page"
      ? shownBy(answer)
      : answer.kind === "error"
      ? answer.error.code
      : answer.kind
  );
}
