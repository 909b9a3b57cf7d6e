import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { chainId, openEngine, openGatherer } from "../assemble.ts";
import { readCase, writeCase } from "../chain/record.ts";
import { readConfig } from "../config.ts";
import { ServiceError } from "../kernel/error.ts";
import { type Hash, readHash } from "../kernel/hex.ts";
import type { CommandResult } from "../lint/command.ts";
import { scaffold } from "../lint/scaffold/scaffold.ts";
import { defaultPaths, defaultRecordings, findSources, SourceError } from "../lint/sources.ts";
import type { CaseFile } from "../model/case-file.ts";

const usage = `usage: rule-lint new <protocol> --tx <hash> [--family FOLDER] [--rpc URL] [--recordings DIR]

Drafts rules/<family>/<protocol>.yaml from a transaction: its contracts, the signatures that other rule files know, one rule, its
recorded example and a negative one. The transaction is read from the recordings, else fetched and recorded there.
`;

/** Not what `new` takes; told on one line. */
class NewRuleError extends Error {}

/** Runs `rule-lint new` with the arguments after it. Never rejects: what goes wrong is in the result. */
export async function draftRuleFile(args: readonly string[]): Promise<CommandResult> {
  try {
    return await draft(readOrder(args));
  } catch (error) {
    const known = error instanceof NewRuleError || error instanceof SourceError || error instanceof ServiceError;
    const text = known || !(error instanceof Error) ? (error as Error).message : error.stack;
    return { status: 2, out: "", err: `rule-lint: ${text}\n` };
  }
}

/** Where a draft goes when no family is named. */
const familyOf: Readonly<Record<string, string>> = {
  swap: "dex",
  claim: "rewards",
  payment: "payments",
  nft_sale: "nft",
  social_action: "social",
};

interface Order {
  protocol: string;
  hash: Hash;
  family: string | undefined;
  rpcUrls: string[];
  recordingsDir: string;
}

function readOrder(args: readonly string[]): Order {
  const { values, positionals } = parse(args);
  const [protocol, ...more] = positionals;
  if (protocol === undefined || more.length > 0) throw new NewRuleError(usage);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(protocol))
    throw new NewRuleError(`${JSON.stringify(protocol)} is no protocol id: lower case, digits and hyphens`);
  const hash = readHash(values.tx);
  if (hash === undefined) throw new NewRuleError("--tx expects 0x followed by 64 hex digits");
  const beside = join("test", "transactions");
  const recordingsDir = values.recordings ?? (existsSync(beside) ? beside : defaultRecordings());
  return { protocol, hash, family: values.family, rpcUrls: values.rpc ?? [], recordingsDir };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        tx: { type: "string" },
        family: { type: "string" },
        rpc: { type: "string", multiple: true },
        recordings: { type: "string" },
      },
    });
  } catch (error) {
    throw new NewRuleError(`${(error as Error).message.split("\n")[0]}\n${usage}`);
  }
}

async function draft({ protocol, hash, family, rpcUrls, recordingsDir }: Order): Promise<CommandResult> {
  const root = defaultPaths().find((path) => existsSync(join(path, "actions.yaml"))) ?? "rules";
  const families = readdirSync(root, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : []));
  if (family !== undefined && !families.includes(family))
    throw new NewRuleError(`--family is one of ${families.sort().join(", ")}`);
  const sources = findSources(defaultPaths());
  const taken = sources.rules.find(({ file }) => file.endsWith(`/${protocol}.yaml`));
  if (taken !== undefined) throw new NewRuleError(`${taken.file} is there already`);
  const { caseFile, recorded } = await findCase(hash, rpcUrls, recordingsDir);
  const place = (folder: string) => join(root, folder, `${protocol}.yaml`);
  const file = relative(process.cwd(), resolve(place(family ?? "new")))
    .split(sep)
    .join("/");
  const result = scaffold({ protocol, file, caseFile, recordingsDir }, sources);
  if ("problem" in result) return { status: 1, out: "", err: `rule-lint: ${result.problem}\n` };
  const path = place(family ?? familyOf[result.action] ?? "new");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, result.text, { flag: "wx" });
  return { status: 0, out: [...recorded, path, ""].join("\n"), err: "" };
}

/** The recording, else the transaction fetched and recorded. */
async function findCase(
  hash: Hash,
  rpcUrls: readonly string[],
  dir: string,
): Promise<{ caseFile: CaseFile; recorded: string[] }> {
  const path = join(dir, `${hash}.json`);
  if (existsSync(path)) return { caseFile: await readCase(path), recorded: [] };
  const configured = readConfig();
  const config = { ...configured, recordingsDir: null, ...(rpcUrls.length > 0 && { rpcUrls }) };
  const gatherer = openGatherer(config, openEngine(config));
  try {
    const caseFile = await gatherer.gather(hash);
    if (caseFile.chain_id !== chainId) throw new NewRuleError(`the endpoint serves chain ${caseFile.chain_id}`);
    return { caseFile, recorded: [await writeCase(dir, caseFile)] };
  } finally {
    gatherer.close();
  }
}
