/** What a failure says, and what to do next. */
export function said(
  { message, hint }: {
    readonly message: string;
    readonly hint?: string | undefined;
  },
): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
