import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suggest } from "../documents/suggest.ts";
import { ServiceError } from "../kernel/error.ts";
import { type Hash, readHash } from "../kernel/hex.ts";
import type { CommandResult } from "../lint/command.ts";
import { folderFor, unsorted } from "../lint/scaffold/guess.ts";
import { messageFileText } from "../lint/scaffold/message-text.ts";
import { readAbiText } from "../lint/scaffold/published-abi.ts";
import { listUnnamed, openGround, type Scaffold, scaffold } from "../lint/scaffold/scaffold.ts";
import type { KnownItem } from "../lint/scaffold/survey.ts";
import { defaultPaths, defaultRecordings, findSources, SourceError, shownPath } from "../lint/sources.ts";
import { readCase, writeCase } from "../recordings/case-format.ts";
import { readConfig } from "../settings/config.ts";
import { readTypedData } from "../typed-data/typed-data.ts";
import { TypedDataError } from "../typed-data/typed-data-error.ts";
import { readOptions, UsageError } from "./command-line.ts";
import { findPublished } from "./contract-source.ts";
import { networkConfig, withExplainer } from "./explainer.ts";

const usage = readFileSync(new URL("new-rule.txt", import.meta.url), "utf8");

/** Runs `rule-lint new` with the arguments after it. Never rejects: what goes wrong is in the result. */
export async function draftRuleFile(args: readonly string[]): Promise<CommandResult> {
  try {
    const order = readOrder(args);
    return order.message === undefined ? await draft(order) : draftMessage(order, order.message);
  } catch (error) {
    const known = [UsageError, SourceError, ServiceError, TypedDataError].some((kind) => error instanceof kind);
    const { message, stack = message } = error as Error;
    return { status: 2, out: "", err: `rule-lint: ${known ? message : stack}\n` };
  }
}

interface Order {
  protocol: string;
  /** A file with typed data; then there is no transaction. */
  message: string | undefined;
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
  const { values, positionals } = readOptions(args, usage.slice(0, usage.indexOf("\n\n")), `\n${usage}`);
  const [protocol, ...more] = positionals;
  if (protocol === undefined || more.length > 0) throw new UsageError(usage);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(protocol))
    throw new UsageError(`${JSON.stringify(protocol)} is no protocol id: lower case, digits and hyphens`);
  const hash = readHash(values.tx) ?? (values.message === undefined ? undefined : noHash);
  if (hash === undefined) throw new UsageError("--tx expects 0x followed by 64 hex digits");
  const beside = join("test", "transactions");
  const { tx: _, ...given } = values as Partial<Order> & { tx: string };
  const recordings = given.recordings ?? (existsSync(beside) ? beside : defaultRecordings());
  const order = {
    message: undefined,
    family: undefined,
    role: null,
    action: null,
    rpc: [],
    abi: [],
    ...given,
    protocol,
    hash,
    recordings,
  };
  if (order.role !== null && !/^[a-z][a-z0-9_]*$/.test(order.role))
    throw new UsageError(`${JSON.stringify(order.role)} is no role: lower case, digits and underscores`);
  return order;
}

const noHash = `0x${"0".repeat(64)}` as Hash;

/** Where rules lie, and the folders in it. Throws UsageError where the wanted one is not there. */
function openFamilies(family: string | undefined): string {
  const root = defaultPaths().find((path) => existsSync(join(path, "actions.yaml"))) ?? "rules";
  const families = readdirSync(root, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : []));
  if (family !== undefined && !families.includes(family))
    throw new UsageError(`--family is one of ${families.sort().join(", ")}`);
  return root;
}

/** Throws UsageError where a file has that protocol already. */
function refuseTaken(protocol: string, sources: ReturnType<typeof findSources>): void {
  const taken = sources.rules.find(({ file }) => file.endsWith(`/${protocol}.yaml`));
  if (taken !== undefined) throw new UsageError(`${taken.file} is there already`);
}

function draftMessage({ protocol, family, action: wanted }: Order, message: string): CommandResult {
  const root = openFamilies(family);
  refuseTaken(protocol, findSources(defaultPaths()));
  const data = readTypedData(readFileSync(message, "utf8"));
  const action = wanted ?? "contract_interaction";
  const path = join(root, family ?? folderFor(action), `${protocol}.yaml`);
  const text = textOf(protocol, data, action);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { flag: "wx" });
  return {
    status: 0,
    out: toldSteps(path, { text, action, anchor: `sign ${data.primaryType}`, protocol, recorded: [] }),
    err: "",
  };
}

/** Throws UsageError for a message that no rule can read. */
function textOf(...message: Parameters<typeof messageFileText>): string {
  try {
    return messageFileText(...message);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function draft(order: Order): Promise<CommandResult> {
  const { protocol, hash, family, recordings: recordingsDir, role, action } = order;
  const root = openFamilies(family);
  const sources = findSources(defaultPaths());
  refuseTaken(protocol, sources);
  const items = order.abi.flatMap(readAbiFile);
  const { caseFile, recorded } = await findCase(hash, order.rpc, recordingsDir);
  const place = (folder: string) => join(root, folder, `${protocol}.yaml`);
  const ground = openGround(caseFile, sources);
  const { actions } = ground.loaded.ruleset;
  if (action !== null && !actions.has(action)) {
    const close = suggest(action, [...actions.keys()]);
    const hint = close === undefined ? "" : `; did you mean ${close}?`;
    throw new UsageError(`rules/actions.yaml has no action ${JSON.stringify(action)}${hint}`);
  }
  const published = await findPublished(listUnnamed(ground), readConfig());
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

/** The recording, else the transaction fetched and recorded. */
async function findCase(hash: Hash, rpcUrls: readonly string[], dir: string) {
  const path = join(dir, `${hash}.json`);
  if (existsSync(path)) return { caseFile: await readCase(path), recorded: [] };
  const caseFile = await withExplainer(networkConfig(rpcUrls), (explainer) => explainer.gather(hash));
  return { caseFile, recorded: [await writeCase(dir, caseFile)] };
}
