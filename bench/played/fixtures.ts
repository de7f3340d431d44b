// The hostile files of the played tasks, the same at each run.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";

/** A name as macOS stores it: decomposed, with U+2019 and U+202F, which a model types as plain signs. */
const DECOMPOSED = "notes/Café\u2019s review 4.15\u202fPM.txt".normalize("NFD");

/** Where the ledger of the task "edited" stands. */
export const LEDGER = "data/ledger.txt";

/** The ledger before and after somebody adds two lines at its top. */
export function ledger(isEdited: boolean): string {
  const rows = lines(40, (row) => `entry ${row}: ${amount(row)} units`);
  return isEdited ? `entry 0a: opening\nentry 0b: audit\n${rows}` : rows;
}

/** Writes the files below a folder. */
export function writeFixtures(root: string): void {
  for (const [path, content] of Object.entries(files())) {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
  }
  mkdirSync(join(root, "run"));
  execFileSync("mkfifo", [join(root, "run/events")]);
}

/** Takes back what a task did to the files. */
export function restoreFixtures(root: string): void {
  writeFileSync(join(root, LEDGER), ledger(false));
}

function files(): Readonly<Record<string, string | Uint8Array>> {
  return {
    "package-lock.json": lockfile(),
    "dist/bundle.js": bundle(),
    "logs/gateway.log": gateway(),
    "logs/worker.log": worker(),
    "logs/2026-10.log.gz": gzipSync(archive()),
    "data/readings.csv": lines(412, (row) => `${word(row)},${amount(row)},ok`),
    [LEDGER]: ledger(false),
    "data/orders.csv": orders(),
    "data/export.txt": png(37, 11),
    "config/overrides.yaml": "",
    "config/service.ini": utf16(service()),
    "config/limits.toml": limits(),
    [DECOMPOSED]: "Decision: the beta ships on 2026-12-03.\n",
    "docs/DEPLOYMENT.md":
      "# Deployment\n\nRun `make canary` and wait for 20 minutes.\n",
    "docs/protocol.md": protocol(),
    "src/auth/session.ts":
      "export const SESSION_HOURS = 36;\n\nexport type Session = { id: string };\n",
    "src/billing.ts": module("billing"),
    "src/router.ts": module("router"),
    "src/queue.ts": module("queue"),
    "src/settlement.ts": settlement(),
    "src/api/v2/orders.test.ts": "import './orders.ts';\n",
    "src/api/v2/orders.ts": "export const orders = [];\n",
    "src/jobs/sweep.test.ts": "import './sweep.ts';\n",
    "src/jobs/sweep.ts": "export const retentionDays = 45;\n",
    "analysis/churn.ipynb": notebook(),
  };
}

function lines(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, at) => `${line(at + 1)}\n`).join("");
}

/** A number that looks random, the same for the same row. */
function amount(row: number): number {
  return (row * 7919 + 104_729) % 9973;
}

const WORDS =
  "ledger batch window cursor shard quota tenant retry commit replica token route lease probe digest"
    .split(" ");

function word(at: number): string {
  return WORDS[amount(at) % WORDS.length]!;
}

/** 80,000 lines; the version of one package is wanted. */
function lockfile(): string {
  const rows = lines(11_400, (row) => {
    const isIt = row === 7321;
    const name = isIt ? "tidy-queue" : `${word(row)}-${row}`;
    const version = isIt ? "5.20.81" : `${row % 9}.${row % 31}.${row % 17}`;
    return `    "node_modules/${name}": {
      "version": "${version}",
      "resolved": "https://packages.example/${name}-${version}.tgz",
      "integrity": "sha512-${amount(row)}${amount(row * 3)}${
      amount(row * 7)
    }==",
      "dev": true,
      "license": "MIT"
    },`;
  });
  return `{\n  "packages": {\n${rows}    "end": {}\n  }\n}\n`;
}

/** One line of 700 KB. */
function bundle(): string {
  const parts: string[] = [];
  for (let length = 0; length < 700_000; length += parts.at(-1)!.length) {
    const at = parts.length;
    parts.push(`function ${word(at)}${at}(e,t){return e*${at % 97}+t}`);
  }
  parts.splice(
    Math.floor(parts.length * 0.6),
    0,
    "const sessionTtl={idle:5417,hard:86400}",
  );
  return parts.join(";");
}

/** 150,000 lines, one of which is an error, and 120 are warnings; the last line has no end. */
function gateway(): string {
  return lines(150_000, (row) => {
    const time = `2026-11-${String(1 + row % 28).padStart(2, "0")}T04:${
      String(row % 60).padStart(2, "0")
    }:07Z`;
    if (row === 149_203) {
      return `${time} ERROR payment refused code=PAY-4093 tenant=acme`;
    }
    if (row === 150_000) return `${time} INFO  shutdown after 811 s`;
    if (row % 1240 === 0) {
      return `${time} WARN  slow upstream took ${amount(row)} ms (${
        row / 1240
      } of 120)`;
    }
    return `${time} INFO  request ${row} ok in ${amount(row) % 400} ms`;
  }).trimEnd();
}

/** 60,000 lines, of which 40 are failures. */
function worker(): string {
  return lines(
    60_000,
    (row) =>
      row % 1500 === 0
        ? `job ${row} FAILED reason=${word(row)} ref=R${amount(row)}`
        : `job ${row} done in ${amount(row) % 90} s`,
  );
}

function archive(): string {
  return lines(
    30_000,
    (row) =>
      row === 21_777
        ? "2026-10-19 disk full on volume vol-3318"
        : `2026-10-${1 + row % 30} heartbeat ${row}`,
  );
}

/** Japanese, as old spreadsheets save it. */
function orders(): Uint8Array {
  const text = lines(
    1800,
    (row) =>
      row === 1203
        ? "1203,大阪支店,返金済み,48210円"
        : `${row},${row % 2 ? "東京支店" : "札幌支店"},発送済み,${
          amount(row)
        }円`,
  );
  return encodeWith("shift_jis", text);
}

/** iconv knows the encodings that a program cannot write by itself. */
function encodeWith(label: string, text: string): Uint8Array {
  return execFileSync("iconv", ["-f", "utf-8", "-t", label], { input: text });
}

function service(): string {
  return lines(
    90,
    (row) =>
      row === 61 ? "listen_port=7443\r" : `option_${row}=${amount(row)}\r`,
  );
}

function limits(): string {
  return lines(
    300,
    (row) =>
      row === 217 ? "Request_TimeOut = 4750" : `limit_${row} = ${amount(row)}`,
  );
}

/** UTF-16 as Windows writes it. */
function utf16(text: string): Uint8Array {
  const units = Uint16Array.from(
    `\ufeff${text}`,
    (character) => character.charCodeAt(0),
  );
  return new Uint8Array(units.buffer);
}

/** A document that is wanted whole. */
function protocol(): string {
  const sections = Array.from({ length: 12 }, (_, at) => {
    const text = `A ${word(at + 2)} is sent with each ${
      word(at + 40)
    }, and the receiver answers within ${
      amount(at) % 900
    } ms. A sender that gets no answer repeats the ${word(at + 9)} at most ${
      1 + at % 5
    } times; then it gives up the ${
      word(at + 17)
    } and says so to the caller, which may ask for another ${
      word(at + 23)
    }. Until then, nothing that belongs to the ${
      word(at + 31)
    } is written, so that a crash leaves no ${word(at + 12)} behind.`;
    return `## ${at + 1}. The ${word(at * 3)} of a ${word(at * 5 + 1)}\n\n${
      wrap(text, 78)
    }\n`;
  });
  return `# The relay protocol\n\n${sections.join("\n")}\nRevision: relay-${
    amount(99)
  }.\n`;
}

/** Breaks a text into lines of at most so many characters. */
function wrap(text: string, most: number): string {
  const broken: string[] = [""];
  for (const word of text.split(" ")) {
    const last = broken.at(-1)!;
    if (last.length + word.length >= most) broken.push(word);
    else broken[broken.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return broken.join("\n");
}

/** Code in which some lines are wanted by number. */
function module(name: string): string {
  return lines(
    240,
    (row) =>
      `export const ${name}${row} = ${word(row)}(${amount(row)}, "${
        word(row + 5)
      }");`,
  );
}

/** A function of 100 lines among others. */
function settlement(): string {
  const body = (name: string, steps: number) =>
    `export function ${name}(entries: Entry[]): Totals {
  const totals = emptyTotals();
${
      lines(steps, (row) =>
        row % 4 === 0
          ? `  if (entries[${row}]?.${word(row)} === undefined) return totals;`
          : `  totals.${word(row + name.length)} += read${word(row)}(entries, ${
            amount(row + name.length)
          });`)
    }  return totals;
}
`;
  return [
    body("collectFees", 60),
    body("reconcileLedger", 96),
    body("closePeriod", 70),
  ].join("\n");
}

/** A notebook whose outputs hold a picture, as most do. */
function notebook(): string {
  const code = (at: number, outputs: readonly unknown[] = []) => ({
    cell_type: "code",
    metadata: {},
    execution_count: at,
    source: Array.from(
      { length: 5 },
      (_, row) =>
        `${word(at + row)}_${row} = frame["${word(at * row + 1)}"].rolling(${
          amount(at * row) % 30
        }).mean()${row < 4 ? "\n" : ""}`,
    ),
    outputs,
  });
  const picture = Array.from(
    { length: 60_000 },
    (_, at) => word(at).slice(0, 4),
  );
  const figure = {
    output_type: "display_data",
    metadata: {},
    data: {
      "image/png": picture.join(""),
      "text/plain": ["<Figure: churn 4.71 %>"],
    },
  };
  const title = { cell_type: "markdown", metadata: {}, source: ["# Churn"] };
  const whole = {
    cells: [title, code(1), code(2), code(3, [figure])],
    metadata: { kernelspec: { language: "python", name: "python3" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(whole, null, 1)}\n`;
}

/** A picture, in the bytes that a name may hide. */
function png(width: number, height: number): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 2], 8);
  const rows = new Uint8Array(height * (1 + 3 * width))
    .map((_, at) => at % (1 + 3 * width) === 0 ? 0 : 90 + at % 100);
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  return Uint8Array.from([
    ...signature,
    ...chunk("IHDR", header),
    ...chunk("IDAT", deflateSync(rows)),
    ...chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return ~crc >>> 0;
}
