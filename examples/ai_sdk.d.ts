// The part of the AI SDK that the example uses: Deno's compiler gives up on the
// SDK's own types. tests/tools/definitions_vendors_test.ts checks against those.
import type { VendorTools } from "@agent-tools/read-file";

export function generateText(options: {
  readonly model: unknown;
  readonly tools: VendorTools["ai-sdk"];
  readonly stopWhen: unknown;
  readonly prompt: string;
}): Promise<{
  readonly text: string;
  readonly steps: readonly {
    readonly toolResults: readonly {
      readonly toolName: string;
      readonly input: unknown;
      readonly output: unknown;
    }[];
  }[];
}>;

export function isStepCount(count: number): unknown;

export class MockLanguageModelV4 {
  constructor(options: {
    doGenerate(call: {
      readonly prompt: readonly { readonly content: unknown }[];
    }): Promise<unknown>;
  });
}
