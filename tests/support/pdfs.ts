/** PDF documents built by code. */
import { deflateSync } from "node:zlib";
import { bytesOf } from "./images.ts";

/** A document from its numbered objects; the trailer names the first. */
function documentOf(objects: readonly string[], trailer = ""): string {
  return [
    "%PDF-1.7",
    ...objects.map((content, at) => `${at + 1} 0 obj\n${content}\nendobj`),
    `trailer\n<</Root 1 0 R${trailer}>>`,
    "%%EOF\n",
  ].join("\n");
}

function stream(content: string, more = ""): string {
  return `<</Length ${content.length}${more}>>\nstream\n${content}\nendstream`;
}

/** A line of text; `at` sets its height. */
function show(line: string, at: number): string {
  const text = line.replace(/[\\()]/g, "\\$&");
  return `BT /F 12 Tf 40 ${760 - at * 16} Td (${text}) Tj ET`;
}

/** A document with a page for each list of lines; an empty list makes a page like a scan. */
export function pdf(
  pages: readonly (readonly string[])[],
  trailer = "",
): string {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(" ");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ...pages.flatMap((lines, at) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${
        5 + at * 2
      } 0 R/Resources<</Font<</F 3 0 R>>>>>>`,
      stream(
        lines.length > 0
          ? lines.map(show).join("\n")
          : "q 100 0 0 100 0 0 cm 0.5 g 0 0 1 1 re f Q",
      ),
    ]),
  ];
  return documentOf(objects, trailer);
}

/** A document encrypted with an unknown password. */
export function lockedPdf(): string {
  const key = "41".repeat(32);
  return pdf(
    [["secret"]],
    `/Encrypt<</Filter/Standard/V 1/R 2/O<${key}>/U<${key}>/P -4>>/ID[<41><41>]`,
  );
}

/** A document of one page with the content `unit`, repeated, which compresses to a thousandth of its length. */
export function packedPdf(
  unit: string,
  times: number,
  before = "",
): Uint8Array {
  const content = `BT /F 12 Tf ${before}${unit.repeat(times)} (Hi) Tj ET`;
  const packed = deflateSync(content);
  const objects = [
    "%PDF-1.7",
    "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    "3 0 obj<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>>>endobj",
    "4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj",
    `5 0 obj<</Length ${packed.length}/Filter/FlateDecode>>stream\n`,
  ].join("\n");
  return bytesOf(objects, packed, "\nendstream endobj\ntrailer<</Root 1 0 R>>");
}
