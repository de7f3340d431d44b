/** The used part of highlight.js; the package is loaded at run time. */
declare const highlighter: {
  getLanguage(name: string): unknown;
  listLanguages(): string[];
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: true },
  ): { readonly value: string };
};
export { highlighter as default };
