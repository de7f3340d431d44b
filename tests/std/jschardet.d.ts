/** What we use of it; the package itself is loaded only where a file needs it. */
export interface Detection {
  readonly encoding: string | null;
  readonly confidence: number;
}
export function detectAll(bytes: Uint8Array): Detection[];
