// Runtime-agnostic.
import type { View } from "@agent-tools/read-file";
import { MOST_VIEW_CHARS } from "./bounds.ts";
import type { Progress } from "./progress.ts";

/** Caches the texts that views make during a call. */
interface Texts {
  readonly byFile: Map<string, string>;
  chars: number;
}

/**
 * Wraps a view so that it makes the text of a file once during a call: an
 * answer may take several reads. Each page of a document counts as progress.
 */
export function viewOfCalls(view: View, progress: Progress): View {
  const calls = new WeakMap<AbortSignal, Texts>();
  return {
    ...view,
    async open(file, request) {
      const { signal, pages } = request;
      if (signal === undefined) return await view.open(file, request);
      const texts = calls.get(signal) ?? { byFile: new Map(), chars: 0 };
      calls.set(signal, texts);
      const key = JSON.stringify([file.path, file.stat, pages]);
      const known = texts.byFile.get(key);
      if (known !== undefined) return known;
      const breathe = () => {
        if (view.paged) progress.step(signal);
        return request.breathe();
      };
      const text = await view.open(file, { ...request, breathe });
      if (typeof text !== "string") return text;
      texts.chars += text.length;
      if (texts.chars <= MOST_VIEW_CHARS) texts.byFile.set(key, text);
      return text;
    },
  };
}
