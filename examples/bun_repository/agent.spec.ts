import { expect, test } from "bun:test";
import { toolsOfAgent } from "./agent.ts";

test("the agent reads its own source", async () => {
  const kit = await toolsOfAgent();
  const args = { file_path: "agent.ts", start_line: 1, end_line: 1 };
  const { ok, content } = await kit.respond("open_file", args);
  expect(ok).toBe(true);
  expect(content).toStartWith("import { createAgentToolkit }");
});

test("the agent reads nothing outside", async () => {
  const kit = await toolsOfAgent();
  const result = await kit.openFile("../simulated.ts");
  expect(result.status).toBe("denied");
});

test("the agent gets only the tools that it may call", async () => {
  const kit = await toolsOfAgent();
  expect(kit.definitions().map(({ name }) => name)).toEqual(["open_file"]);
});
