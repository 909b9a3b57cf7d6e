import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Address } from "../../kernel/address.ts";
import { isOfMessages, readContractName, readDeployments, requireContract } from "./descriptor/contract.ts";
import { DescriptorPart, orLeaveOut, reportUnused } from "./descriptor/part.ts";
import { slugOf } from "./descriptor/plain-text.ts";
import { readDescriptor } from "./descriptor.ts";
import { slugStart } from "./known-call.ts";
import { type LeftOut, printable, type ReportPart } from "./report.ts";
import { readIntents } from "./rules/intent.ts";
import { firstFree, type RuleFileInput, writeRuleFile } from "./rules/rule-file.ts";

/** Rule files, and what could not become a rule. */
export interface Import {
  files: { slug: string; text: string; rules: number }[];
  findings: LeftOut[];
}

/** What the project knows without descriptors. */
export interface Known {
  nameOf(address: Address): string | undefined;
  /** A rule states this call already; one from a descriptor would seldom apply beside it. */
  tells(address: Address, selector: string): boolean;
}

/** Nesting of folders. */
const depthMax = 8;
/** Descriptors of one run. */
const descriptorsMax = 5_000;

/** Shared by all its descriptors. */
interface Run {
  made: Import;
  known: Known;
  /** Files may include each other. */
  folder: boolean;
  /** The limit for includes. */
  root: string;
  /** Address and selector of each written function: two sentences for one call would be a tie. */
  told: Set<string>;
}

/** One descriptor, or every `*.json` below a folder. Throws only when the path itself cannot be read. */
export function importDescriptors(path: string, known: Known): Import {
  const made: Import = { files: [], findings: [] };
  const folder = statSync(path).isDirectory();
  const run: Run = { made, known, folder, root: folder ? path : dirname(path), told: new Set() };
  const files = folder ? listJson(path) : [basename(path)];
  for (const file of files.slice(0, descriptorsMax)) importOne(file, run);
  if (files.length > descriptorsMax)
    made.findings.push({ file: path, place: "", reason: `more than ${descriptorsMax} descriptors` });
  return made;
}

/** `file`: from the root, for reports. */
function importOne(file: string, run: Run): void {
  const { made, told } = run;
  const reported = new Set<string>();
  const report: ReportPart = (place, reason) => {
    // Several functions may have the same mistake; it is reported once.
    if (!reported.has(`${place} ${reason}`)) made.findings.push({ file, place: printable(place), reason });
    reported.add(`${place} ${reason}`);
  };
  const descriptor = readDescriptor(join(run.root, file), run.root, report);
  if (descriptor === undefined) return;
  const root = DescriptorPart.root(descriptor, report);
  const input = orLeaveOut(root, () => readInput(root, basename(file), run));
  // A mistake of the whole descriptor is the only one that is reported.
  if (input === undefined) return;
  const written = writeRuleFile(input);
  root.get("includes")?.take();
  reportUnused(root);
  if (written === undefined) return;
  made.files.push({ slug: input.slug, ...written });
  for (const { item, addresses } of input.intents) for (const address of addresses) told.add(`${address} ${item.hash}`);
}

/** Throws UnsupportedError when all of it is left out. */
function readInput(root: DescriptorPart, source: string, { made, known, folder, told }: Run): RuleFileInput {
  requireContract(root, folder);
  const addresses = readDeployments(root);
  const name = readContractName(root);
  const stem = slugOf(basename(source, ".json").replace(/^(?:calldata|eip712)-/, ""));
  const slug = firstFree(`${slugStart}${stem}`, "-", (text) => made.files.every((other) => other.slug !== text));
  // For messages, rules of the project go first when a message is decided. So only calls are asked about.
  const isCall = !isOfMessages(root);
  const free = new Map<string, Address[]>();
  const intents = readIntents({ root, addresses }, (selector) => {
    const others = isCall ? addresses.filter((address) => !known.tells(address, selector)) : addresses;
    if (others.length === 0) return "a function that other rules tell already";
    const left = others.filter((address) => !told.has(`${address} ${selector}`));
    if (left.length === 0) return "a function of a contract that an earlier descriptor tells";
    free.set(selector, left);
    return undefined;
  });
  const placed = intents.map((intent) => ({ ...intent, addresses: free.get(intent.item.hash) ?? addresses }));
  return { slug, source, addresses, name, nameOf: known.nameOf, intents: placed };
}

/** Relative, files of a subfolder where its name belongs. Links are not followed. */
function listJson(dir: string): string[] {
  const found = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ parentPath, name }) => relative(dir, join(parentPath, name)).split(sep))
    .filter(({ length }) => length <= depthMax + 1);
  // Joined with NUL for sorting: no name contains it, and it sorts before all other characters.
  return found
    .map((names) => names.join("\0"))
    .sort()
    .map((names) => names.replaceAll("\0", sep));
}
