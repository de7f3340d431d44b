/** The message and the hint of a failure. */
export function said(
  { message, hint }: {
    readonly message: string;
    readonly hint?: string | undefined;
  },
): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
