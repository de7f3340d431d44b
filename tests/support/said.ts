/** The message of a failure, with its hint. */
export function said(
  { message, hint }: {
    readonly message: string;
    readonly hint?: string | undefined;
  },
): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
