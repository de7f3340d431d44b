/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The playground: files are read into memory, and never leave the page.
import {
  boundTokens,
  escapeHidden,
  memoryFs,
  openWorkspace,
  type Workspace,
} from "@agent-tools/read-file";
import { codeOf, FORMS } from "./code.ts";
import { type Args, type Choice, choicesFor, ROOT } from "./tools.ts";

function byId<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

const chosen = byId<HTMLInputElement>("chosen");
const drop = byId("drop");
const tool = byId<HTMLSelectElement>("tool");
const file = byId<HTMLSelectElement>("file");
const fields = byId("fields");
const args = byId<HTMLTextAreaElement>("args");
const next = byId<HTMLButtonElement>("next");
const language = byId<HTMLSelectElement>("language");

/** The files, by path relative to the root. */
const files = new Map<string, Uint8Array>();
let workspace: Workspace;
let choices: readonly Choice[] = [];
let continuation: Args | null = null;

const encoder = new TextEncoder();

/** The files before the user chooses any. */
const SAMPLES: Readonly<Record<string, string>> = {
  "app.log": Array.from(
    { length: 5_000 },
    (_, at) =>
      `12:${String(Math.floor(at / 60) % 60).padStart(2, "0")}:${
        String(at % 60).padStart(2, "0")
      } request ${at + 1} took ${at * 7 % 90} ms\n`,
  ).join(""),
  "login.ts":
    'const level = "user";\nif (level !== "user\u202e \u2066// only for admins\u2069 \u2066") {\n  console.log("You are an admin.");\n}\n',
  "one-line.json": `[${"1234567890,".repeat(20_000)}0]\n`,
};

/** Adds files, and opens a workspace with all of them. */
async function takeFiles(given: readonly (readonly [string, Uint8Array])[]) {
  for (const [path, bytes] of given) files.set(path, bytes);
  await openFiles();
}

async function openFiles(): Promise<void> {
  const entries = [...files].map(([path, bytes]) => [`${ROOT}/${path}`, bytes]);
  const fs = memoryFs({
    [ROOT]: { kind: "directory" },
    ...Object.fromEntries(entries),
  });
  workspace = await openWorkspace(ROOT, { fs });
  showFiles();
}

function showFiles(): void {
  const selected = file.value;
  file.replaceChildren(...[...files.keys()].map((path) => new Option(path)));
  if (files.has(selected)) file.value = selected;
  byId("files").replaceChildren(...[...files].map(([path, bytes]) => {
    const name = make("span", path, "path");
    const remove = make("button", "×");
    remove.type = "button";
    remove.setAttribute("aria-label", `Remove ${path}`);
    remove.addEventListener("click", async () => {
      files.delete(path);
      await openFiles();
      startCall();
    });
    const row = make("li", "");
    row.append(name, make("span", `${bytes.length} bytes`, "size"), remove);
    return row;
  }));
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  className = "",
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  element.textContent = text;
  element.className = className;
  return element;
}

function choice(): Choice {
  return choices[tool.selectedIndex]!;
}

/** The arguments in the input; `undefined` if they are not an object. */
function readArgs(): Args | undefined {
  try {
    const value = JSON.parse(args.value);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function writeArgs(value: Args): void {
  args.value = JSON.stringify(value);
  showFields();
}

/** Resets the call to only the path. */
function startCall(): void {
  const { pathName, pathOf } = choice();
  writeArgs({ [pathName]: pathOf(file.value) });
}

/** The inputs for each type of argument; other types are entered as JSON. */
const INPUTS: Readonly<Record<string, string>> = {
  boolean: "checkbox",
  integer: "number",
  number: "number",
  string: "text",
};

/** Shows an input for each argument except the path. */
function showFields(): void {
  const given = readArgs() ?? {};
  const { pathName, schema: { properties = {} } } = choice();
  const inputs = Object.entries(properties).flatMap(([name, { type }]) => {
    const kind = INPUTS[String(type)];
    if (kind === undefined || name === pathName) return [];
    const input = make("input", "");
    input.type = kind;
    input.name = name;
    if (kind === "checkbox") input.checked = given[name] === true;
    else input.value = String(given[name] ?? "");
    input.addEventListener("change", () => {
      const { [name]: _, ...rest } = readArgs() ?? {};
      const value = valueOf(input);
      args.value = JSON.stringify(
        value === undefined ? rest : { ...rest, [name]: value },
      );
    });
    const label = make("label", name);
    label.append(input);
    return [label];
  });
  fields.replaceChildren(...inputs);
}

/** The value of an input; `undefined` if it is empty. */
function valueOf(
  { type, value, valueAsNumber, checked }: HTMLInputElement,
): unknown {
  if (type === "checkbox") return checked || undefined;
  if (value === "") return undefined;
  return type === "number" ? valueAsNumber : value;
}

/** How often a tool was called. */
let calls = 0;

/** Loads the token counter. The computed address keeps it out of the bundle of this page. */
function loadTokens(): Promise<typeof import("./tokens.ts")> {
  const address = "./tokens.js";
  return import(address);
}

/** The most bytes of a file whose tokens are counted. */
const MOST_COUNTED = 1 << 20;

/** The chosen file as `cat -n` shows it; `undefined` if counting its tokens would take long. */
function wholeFile(): string | undefined {
  const bytes = files.get(file.value);
  if (bytes === undefined || bytes.length > MOST_COUNTED) return undefined;
  return new TextDecoder().decode(bytes)
    .replace(/\n$/, "").split("\n")
    .map((line, at) => `${String(at + 1).padStart(6)}\t${line}\n`).join("");
}

async function run(): Promise<void> {
  const { ok, text, images, next: following } = await choice()
    .call(workspace, args.value);
  continuation = following;
  next.disabled = following === null;
  const status = byId("status");
  const bytes = encoder.encode(text).length;
  status.className = ok ? "ok" : "failed";
  const size = `${
    ok ? "Success" : "Failure"
  }: ${text.length} characters, ${bytes} bytes, `;
  const asked = ++calls;
  status.textContent = `${size}at most ${boundTokens(text)} tokens`;
  const whole = wholeFile();
  void loadTokens().then(({ tokensOf }) => {
    if (asked !== calls) return;
    const beside = whole === undefined
      ? ""
      : `; cat -n of the whole file: ${tokensOf(whole)}`;
    status.textContent = `${size}${tokensOf(text)} tokens (o200k)${beside}`;
  });
  showText(byId("answer"), text);
  byId("images").replaceChildren(...images.map(({ data, mimeType }) => {
    const image = make("img", "");
    image.src = `data:${mimeType};base64,${data}`;
    image.alt = "the image of the answer";
    return image;
  }));
  showCode();
}

/** Shows a text, and marks its hidden characters. */
function showText(element: HTMLElement, text: string): void {
  element.replaceChildren();
  let plain = "";
  for (const character of text) {
    const escape = escapeHidden(character);
    if (escape === character) {
      plain += character;
      continue;
    }
    const mark = make("mark", escape);
    mark.title = "a hidden character, shown here as an escape";
    element.append(plain, mark);
    plain = "";
  }
  element.append(plain);
}

function showCode(): void {
  const given = readArgs();
  byId("code").textContent = given === undefined
    ? ""
    : codeOf(FORMS[language.selectedIndex]!, choice(), given);
}

async function goOn(): Promise<void> {
  if (continuation === null) return;
  writeArgs(continuation);
  await run();
}

async function takeChosen(list: FileList | undefined | null): Promise<void> {
  const given = await Promise.all(Array.from(
    list ?? [],
    async (one) =>
      [
        one.webkitRelativePath || one.name,
        new Uint8Array(await one.arrayBuffer()),
      ] as const,
  ));
  if (given.length === 0) return;
  await takeFiles(given);
  file.value = given[0]![0];
  startCall();
  await run();
}

chosen.addEventListener("change", () => takeChosen(chosen.files));
for (const name of ["dragover", "dragleave", "drop"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", name === "dragover");
  });
}
drop.addEventListener(
  "drop",
  ({ dataTransfer }) => takeChosen(dataTransfer?.files),
);
for (const select of [tool, file]) {
  select.addEventListener("change", async () => {
    startCall();
    await run();
  });
}
args.addEventListener("input", showFields);
byId("call").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
next.addEventListener("click", goOn);
language.addEventListener("change", showCode);
byId("copy").addEventListener(
  "click",
  () => navigator.clipboard.writeText(byId("code").textContent ?? ""),
);
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  if (event.ctrlKey || event.metaKey) run();
  else if (event.altKey) goOn();
  else return;
  event.preventDefault();
});

await takeFiles(
  Object.entries(SAMPLES).map(([path, text]) => [path, encoder.encode(text)]),
);
choices = choicesFor(workspace!);
language.replaceChildren(...FORMS.map((form) => new Option(form)));
tool.replaceChildren(...choices.map(({ label }) => new Option(label)));
startCall();
writeArgs({ path: "app.log", start: 1, maxChars: 1500 });
await run();
