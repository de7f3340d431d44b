/** The used part of jschardet; the package is loaded only if a file needs it. */
export interface Detection {
  readonly encoding: string | null;
  readonly confidence: number;
}
export function detectAll(bytes: Uint8Array): Detection[];
