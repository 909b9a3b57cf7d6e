import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Address } from "../kernel/address.ts";
import { readContractName, readDeployments } from "./deployment.ts";
import { readDescriptor } from "./descriptor.ts";
import type { Finding, Listing } from "./finding.ts";
import { readIntents } from "./intent.ts";
import { isObject, type JsonObject, own, ownAt } from "./json-tree.ts";
import { slugStart } from "./known-call.ts";
import { slugOf } from "./plain-text.ts";
import { firstFree, type NameLookup, writeRuleFile } from "./rule-file.ts";

/** Rule files made from descriptors, and what did not become a rule. */
export interface Import {
  files: { slug: string; text: string; rules: number }[];
  findings: Finding[];
}

/** What the project says of addresses and calls without descriptors. */
export interface Known {
  nameOf: NameLookup;
  /** True when a rule speaks of that call: an intent of it would seldom or never stand. */
  tells(address: Address, selector: string): boolean;
}

/** Folders inside of folders. */
const depthMax = 8;
/** Descriptors of one run. */
const descriptorsMax = 5_000;

/**
 * Compiles ERC-7730 descriptors to rule files of intents: one file, or every `*.json` of a folder and its folders. `known`
 * is what the project says without them. Throws only when the path itself cannot be read.
 */
export function importDescriptors(path: string, known: Known): Import {
  const made: Import = { files: [], findings: [] };
  const folder = statSync(path).isDirectory();
  const told = new Set<string>();
  const files = folder ? listJson(path, 0) : [path];
  for (const file of files.slice(0, descriptorsMax)) {
    const shown = folder ? file.slice(path.length).replace(/^[\\/]+/, "") : basename(file);
    const list: Listing = (place, reason) => made.findings.push({ file: shown, place, reason });
    importOne(file, { made, list, known, folder, told });
  }
  if (files.length > descriptorsMax)
    made.findings.push({ file: path, place: "", reason: `more than ${descriptorsMax} descriptors` });
  return made;
}

interface Run {
  made: Import;
  list: Listing;
  known: Known;
  folder: boolean;
  /** Address and selector of every function that a file has: two sentences for one call would be a tie. */
  told: Set<string>;
}

function importOne(file: string, run: Run): void {
  const { made, list, known, folder } = run;
  const descriptor = readDescriptor(file, list);
  if (descriptor === undefined) return;
  const unfit = refuse(descriptor, folder);
  if (unfit !== undefined) {
    list("context", unfit);
    return;
  }
  const addresses = readDeployments(descriptor, list);
  if (addresses.length === 0) return;
  const name = readContractName(descriptor);
  if (name === undefined) {
    list("metadata", "no contract name that is short, plain, printable ASCII text");
    return;
  }
  const stem = slugOf(basename(file, ".json").replace(/^calldata-/, ""));
  const slug = firstFree(`${slugStart}${stem}`, "-", (text) => made.files.every((other) => other.slug !== text));
  const intents = readIntents(descriptor, list).filter(({ item }) => {
    const problem = refuseCall(addresses, item.hash, run);
    if (problem !== undefined) list(item.name, problem);
    return problem === undefined;
  });
  const { nameOf } = known;
  const written = writeRuleFile({ slug, source: basename(file), addresses, name, nameOf, intents }, list);
  if (written === undefined) return;
  made.files.push({ slug, ...written });
  for (const address of addresses) for (const { item } of intents) run.told.add(`${address} ${item.hash}`);
}

/** Why a function is not told; undefined when it may be. */
function refuseCall(addresses: readonly Address[], selector: string, { known, told }: Run): string | undefined {
  if (addresses.some((address) => known.tells(address, selector))) return "a function that other rules tell already";
  if (addresses.some((address) => told.has(`${address} ${selector}`)))
    return "a function of a contract that an earlier descriptor tells";
  return undefined;
}

/** Why a descriptor is about no contract; undefined when it is. */
function refuse(descriptor: JsonObject, folder: boolean): string | undefined {
  if (ownAt(descriptor, "context", "eip712") !== undefined)
    return "an EIP-712 descriptor: signed messages are no calls";
  if (isObject(ownAt(descriptor, "context", "contract"))) return undefined;
  return folder && isObject(own(descriptor, "display")) ? "no contract: a file that others include" : "no contract";
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
