/** What we use of highlight.js; the package itself is loaded at run time. */
declare const highlighter: {
  getLanguage(name: string): unknown;
  listLanguages(): string[];
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: true },
  ): { readonly value: string };
};
export { highlighter as default };
