import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suggest } from "../documents/suggest.ts";
import type { Address } from "../kernel/address.ts";
import { ServiceError } from "../kernel/error.ts";
import { type Hash, readHash } from "../kernel/hex.ts";
import type { CommandResult } from "../lint/command.ts";
import { ruleLint } from "../lint/program.ts";
import { folderFor, unsorted } from "../lint/scaffold/guess.ts";
import { readAbiText } from "../lint/scaffold/published-abi.ts";
import { listUnnamed, openGround, type Scaffold, scaffold } from "../lint/scaffold/scaffold.ts";
import type { KnownItem } from "../lint/scaffold/survey.ts";
import { defaultPaths, defaultRecordings, findSources, SourceError, shownPath } from "../lint/sources.ts";
import { readCase, writeCase } from "../recordings/case-format.ts";
import { readConfig } from "../settings/config.ts";
import { readOptions, UsageError } from "../terminal/command-table.ts";
import { helpHint } from "../terminal/help-text.ts";
import { findPublished, publishersOf } from "./contract-source.ts";
import { networkConfig, withExplainer } from "./explainer.ts";

/** How long the network may take for the transaction, and for names and ABIs, in milliseconds. */
const waitMs = 3_000;

/**
 * Runs `rule-lint new` with the arguments after it. Never rejects: what goes wrong is in the result. `tell` gets what is waited for.
 */
export async function draftRuleFile(args: readonly string[], tell: (line: string) => void): Promise<CommandResult> {
  try {
    return await draft(readOrder(args), tell);
  } catch (error) {
    const known = [UsageError, SourceError, ServiceError].some((kind) => error instanceof kind);
    const { message, stack = message } = error as Error;
    const hint = error instanceof UsageError ? `${helpHint(ruleLint, ["new"])}\n` : "";
    return { status: 2, out: "", err: `rule-lint: ${known ? message : stack}\n${hint}` };
  }
}

interface Order {
  protocol: string;
  hash: Hash;
  family: string | undefined;
  rpc: readonly string[];
  recordings: string;
  abi: readonly string[];
  role: string | null;
  action: string | null;
}

/** Throws UsageError. */
function readOrder(args: readonly string[]): Order {
  const { values, positionals } = readOptions(args, ruleLint.commands.new.usage);
  const [protocol, ...more] = positionals;
  if (protocol === undefined || more.length > 0)
    throw new UsageError("expected one protocol id, such as rule-lint new aerodrome --tx 0x…");
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(protocol))
    throw new UsageError(`${JSON.stringify(protocol)} is no protocol id: lower case, digits and hyphens`);
  const hash = readHash(values.tx);
  if (hash === undefined) throw new UsageError("--tx expects 0x followed by 64 hex digits");
  const beside = join("test", "transactions");
  const { tx: _, ...given } = values as Partial<Order> & { tx: string };
  const recordings = given.recordings ?? (existsSync(beside) ? beside : defaultRecordings());
  const order = { family: undefined, role: null, action: null, rpc: [], abi: [], ...given, protocol, hash, recordings };
  if (order.role !== null && !/^[a-z][a-z0-9_]*$/.test(order.role))
    throw new UsageError(`${JSON.stringify(order.role)} is no role: lower case, digits and underscores`);
  return order;
}

async function draft(order: Order, tell: (line: string) => void): Promise<CommandResult> {
  const { protocol, hash, family, recordings: recordingsDir, role, action } = order;
  const root = defaultPaths().find((path) => existsSync(join(path, "actions.yaml"))) ?? "rules";
  const families = readdirSync(root, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : []));
  if (family !== undefined && !families.includes(family))
    throw new UsageError(`--family is one of ${families.sort().join(", ")}`);
  const sources = findSources(defaultPaths());
  const taken = sources.rules.find(({ file }) => file.endsWith(`/${protocol}.yaml`));
  if (taken !== undefined) throw new UsageError(`${taken.file} is there already`);
  const items = order.abi.flatMap(readAbiFile);
  const { caseFile, recorded } = await findCase(hash, order.rpc, recordingsDir, tell);
  const place = (folder: string) => join(root, folder, `${protocol}.yaml`);
  const ground = openGround(caseFile, sources);
  const { actions } = ground.loaded.ruleset;
  if (action !== null && !actions.has(action)) {
    const close = suggest(action, [...actions.keys()]);
    const hint = close === undefined ? "" : `; did you mean ${close}?`;
    throw new UsageError(`rules/actions.yaml has no action ${JSON.stringify(action)}${hint}`);
  }
  const published = await findAbis(listUnnamed(ground), tell);
  const given = { protocol, file: shownPath(place(family ?? "new")), caseFile, recordingsDir };
  const result = scaffold(given, { ground, sources, findings: { items, published, role, action } });
  if ("problem" in result) return { status: 1, out: "", err: `rule-lint: ${result.problem}\n` };
  const path = place(family ?? folderFor(result.action));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, result.text, { flag: "wx" });
  return { status: 0, out: toldSteps(path, { ...result, protocol, recorded }), err: "" };
}

/** What was made, and what to do with it. */
function toldSteps(
  path: string,
  { protocol, text, action, anchor, recorded }: Scaffold & { protocol: string; recorded: readonly string[] },
): string {
  const marks = text.split("\n").filter((line) => line.includes("# draft:")).length;
  const file = shownPath(path);
  const homeless = folderFor(action) === unsorted && file.includes(`/${unsorted}/`);
  return [
    ...recorded.map((one) => `recorded ${shownPath(one)}`),
    `drafted ${file}: ${anchor} is ${action}`,
    ...(homeless
      ? [`rules/${unsorted} is no family: move the file to the folder where a reader would look for it`]
      : []),
    "",
    `Next: look at each of the ${marks} lines marked "# draft:" and delete it, then`,
    `  npm run -s rule-lint -- ${file}`,
    `  npm run -s rule-lint -- --mutate ${file}`,
    `  npm run -s rule-lint -- order --of ${protocol}`,
    "  npm run -s rules:order",
    "  npm test",
    "",
  ].join("\n");
}

/** Throws UsageError with the file's name. */
function readAbiFile(path: string): KnownItem[] {
  try {
    return readAbiText(readFileSync(path, "utf8")).map((item) => ({ ...item, origin: path }));
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message.split("\n")[0]}`);
  }
}

/** The recording, else the transaction fetched and recorded. Throws UsageError when nothing answers in time. */
async function findCase(hash: Hash, rpcUrls: readonly string[], dir: string, tell: (line: string) => void) {
  const path = join(dir, `${hash}.json`);
  if (existsSync(path)) return { caseFile: await readCase(path), recorded: [] };
  const config = networkConfig(rpcUrls);
  const hosts = config.rpcUrls.map((url) => new URL(url).host).join(", ");
  tell(`asking ${hosts} for the transaction, ${waitMs / 1_000} s at most`);
  const patient = { ...config, deadlineMs: waitMs, rpcTimeoutMs: waitMs };
  try {
    const caseFile = await withExplainer(patient, (explainer) => explainer.gather(hash));
    return { caseFile, recorded: [await writeCase(dir, caseFile)] };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "upstream_unavailable") throw error;
    const message = `no endpoint told the transaction within ${waitMs / 1_000} s (asked: ${hosts})`;
    throw new UsageError(`${message}; name another one by --rpc, or put a recording into ${shownPath(dir)}`);
  }
}

/** Names and ABIs that others publish; without an answer in time the draft goes on without. */
async function findAbis(addresses: readonly Address[], tell: (line: string) => void) {
  const config = readConfig();
  const hosts = publishersOf(config);
  if (addresses.length > 0 && hosts.length > 0)
    tell(`asking ${hosts.join(" and ")} for names and ABIs, ${waitMs / 1_000} s at most`);
  return findPublished(addresses, config, waitMs);
}
