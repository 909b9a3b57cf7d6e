import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Makes src/rules/labels/confusables.json, the table of letters that look alike, from confusables.txt of UTS #39: `node build/confusables.ts FILE`.
 * The file is published by Unicode at `security/` of each version. A new version needs its number, hash and source here.
 */
const version = "17.0.0";
const sha256 = "091c7f82fc39ef208faf8f94d29c244de99254675e09de163160c810d13ef22a";
const source = `unicode-org/unicodetools@2c1309ab2ac1de5c62f09089c8ed6bf6f1d37920:unicodetools/data/security/${version}/confusables.txt`;
const license = "Unicode-3.0, © 2025 Unicode®, Inc.";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("The path of confusables.txt is missing.");
const bytes = readFileSync(file);
if (createHash("sha256").update(bytes).digest("hex") !== sha256)
  throw new Error(`${file} is not the one of Unicode ${version}.`);

/** By prototype: all signs that look like it. */
const signs: Record<string, string> = {};
for (const line of bytes.toString("utf8").split("\n")) {
  const [, sign, prototype] = /^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA\t/.exec(line) ?? [];
  if (sign !== undefined && prototype !== undefined)
    signs[toText(prototype)] = (signs[toText(prototype)] ?? "") + toText(sign);
}
// Escaped, since combining and bidirectional signs make a text unreadable.
const json = JSON.stringify({ version, sha256, source, license, signs }, null, 2).replace(/[^\n\x20-\x7e]/g, escaped);
writeFileSync(fileURLToPath(new URL("../src/rules/labels/confusables.json", import.meta.url)), `${json}\n`);

/** The text of code points in hexadecimal. */
function toText(points: string): string {
  return String.fromCodePoint(...points.split(" ").map((point) => Number.parseInt(point, 16)));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
