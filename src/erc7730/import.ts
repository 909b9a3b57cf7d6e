import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Address } from "../kernel/address.ts";
import { readContractName, readDeployments, requireContract } from "./descriptor/contract.ts";
import { readDescriptor } from "./descriptor/file.ts";
import { DescriptorPart, orLeaveOut } from "./descriptor/part.ts";
import { slugOf } from "./descriptor/plain-text.ts";
import { reportUnused } from "./descriptor/unused.ts";
import { slugStart } from "./known-call.ts";
import { type LeftOut, printable, type ReportPart } from "./report.ts";
import { readIntents } from "./rules/intent.ts";
import { firstFree, type RuleFileInput, writeRuleFile } from "./rules/rule-file.ts";

/** Rule files made from descriptors, and what did not become a rule. */
export interface Import {
  files: { slug: string; text: string; rules: number }[];
  findings: LeftOut[];
}

/** What the project says of addresses and calls without descriptors. */
export interface Known {
  /** How the project itself calls an address; undefined when it is not known. */
  nameOf(address: Address): string | undefined;
  /** True when a rule speaks of that call: an intent of it would seldom or never stand. */
  tells(address: Address, selector: string): boolean;
}

/** Folders inside of folders. */
const depthMax = 8;
/** Descriptors of one run. */
const descriptorsMax = 5_000;

/** What descriptors of one run share. */
interface Run {
  made: Import;
  known: Known;
  folder: boolean;
  /** Includes are read from inside of this folder only. */
  root: string;
  /** Address and selector of every function that a file has: two sentences for one call would be a tie. */
  told: Set<string>;
}

/**
 * Compiles ERC-7730 descriptors to rule files of intents: one file, or every `*.json` of a folder and its folders. `known`
 * is what the project says without them. Throws only when the path itself cannot be read.
 */
export function importDescriptors(path: string, known: Known): Import {
  const made: Import = { files: [], findings: [] };
  const folder = statSync(path).isDirectory();
  const run: Run = { made, known, folder, root: folder ? path : dirname(path), told: new Set() };
  const files = folder ? listJson(path, 0) : [path];
  for (const file of files.slice(0, descriptorsMax))
    importOne(file, folder ? file.slice(path.length).replace(/^[\\/]+/, "") : basename(file), run);
  if (files.length > descriptorsMax)
    made.findings.push({ file: path, place: "", reason: `more than ${descriptorsMax} descriptors` });
  return made;
}

/** `shown`: the file as a report names it. */
function importOne(file: string, shown: string, run: Run): void {
  const { made } = run;
  const reported = new Set<string>();
  const report: ReportPart = (place, reason) => {
    // Several functions may meet one mistake.
    if (!reported.has(`${place} ${reason}`)) made.findings.push({ file: shown, place: printable(place), reason });
    reported.add(`${place} ${reason}`);
  };
  const descriptor = readDescriptor(file, run.root, report);
  if (descriptor === undefined) return;
  const root = DescriptorPart.root(descriptor, report);
  const input = orLeaveOut(root, () => readInput(root, basename(file), run));
  // A mistake of the whole descriptor is reported alone.
  if (input === undefined) return;
  const written = writeRuleFile(input);
  root.get("includes")?.take();
  reportUnused(root);
  if (written === undefined) return;
  made.files.push({ slug: input.slug, ...written });
  for (const address of input.addresses) for (const { item } of input.intents) run.told.add(`${address} ${item.hash}`);
}

/** Throws UnsupportedError when the descriptor as a whole is left out. */
function readInput(root: DescriptorPart, source: string, run: Run): RuleFileInput {
  requireContract(root, run.folder);
  const addresses = readDeployments(root);
  const name = readContractName(root);
  const stem = slugOf(basename(source, ".json").replace(/^calldata-/, ""));
  const slug = firstFree(`${slugStart}${stem}`, "-", (text) => run.made.files.every((other) => other.slug !== text));
  const intents = readIntents({ root, addresses }, (selector) => problemOf(addresses, selector, run));
  return { slug, source, addresses, name, nameOf: run.known.nameOf, intents };
}

/** Why a function is not told; undefined when it may be. */
function problemOf(addresses: readonly Address[], selector: string, { known, told }: Run): string | undefined {
  if (addresses.some((address) => known.tells(address, selector))) return "a function that other rules tell already";
  if (addresses.some((address) => told.has(`${address} ${selector}`)))
    return "a function of a contract that an earlier descriptor tells";
  return undefined;
}

function listJson(dir: string, depth: number): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return depth < depthMax ? listJson(path, depth + 1) : [];
      return entry.isFile() && entry.name.endsWith(".json") ? [path] : [];
    });
}
