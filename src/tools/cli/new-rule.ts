import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CaseFileError, readCase, writeCase } from "../../gather/recordings/case-format.ts";
import { type Address, checksum, readAddress } from "../../kernel/address.ts";
import { ServiceError } from "../../kernel/error.ts";
import { type Hash, readPastedHash } from "../../kernel/hex.ts";
import { suggest } from "../../rules/documents/suggest.ts";
import { compileSources } from "../../rules/ruleset/load.ts";
import { readTypedData } from "../../rules/typed-data/typed-data.ts";
import { TypedDataError } from "../../rules/typed-data/typed-data-error.ts";
import { ConfigError, readConfig } from "../../serve/settings/config.ts";
import { type CommandResult, failedRun, usingFile } from "../lint/command-result.ts";
import { ruleLint } from "../lint/program.ts";
import { draftAddress } from "../lint/scaffold/address-draft.ts";
import { folderFor, unsorted } from "../lint/scaffold/guess.ts";
import { messageFileText } from "../lint/scaffold/message-text.ts";
import { readAbiText } from "../lint/scaffold/published-abi.ts";
import { listUnnamed, openSurvey, type Scaffold, scaffold } from "../lint/scaffold/scaffold.ts";
import type { KnownItem } from "../lint/scaffold/survey.ts";
import { type LintSources, shownPath } from "../lint/sources.ts";
import { readOptions, UsageError } from "../terminal/command-table.ts";
import { findPublished, publishersOf } from "./contract-source.ts";
import { openDraftHome, recordingFolders } from "./draft-home.ts";
import { networkConfig, withExplainer } from "./explainer.ts";

/** Milliseconds for the transaction, and again for names and ABIs. */
const waitMs = 3_000;

/** `rule-lint new`. Never rejects: errors are in the result. `tell` gets what is being waited for. */
export async function draftRuleFile(args: readonly string[], tell: (line: string) => void): Promise<CommandResult> {
  try {
    const order = readOrder(args);
    if (order.message !== undefined) return draftMessage(order, order.message);
    return order.address === undefined ? await draft(order, tell) : await draftContract(order, order.address, tell);
  } catch (error) {
    return failedRun(error, ["new"], ServiceError, TypedDataError, CaseFileError, ConfigError);
  }
}

interface Order {
  protocol: string;
  /** A file with typed data, instead of a transaction. */
  message: string | undefined;
  /** A contract, instead of a transaction. */
  address: Address | undefined;
  hash: Hash;
  family: string | undefined;
  rpc: readonly string[];
  recordings: string | undefined;
  abi: readonly string[];
  role: string | null;
  action: string | null;
}

/** Throws UsageError. */
function readOrder(args: readonly string[]): Order {
  const { values, positionals } = readOptions(args, ruleLint.commands.new.options);
  const [protocol, ...more] = positionals;
  if (protocol === undefined || more.length > 0)
    throw new UsageError("expected one protocol id, such as rule-lint new aerodrome --tx 0x…");
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(protocol))
    throw new UsageError(`${JSON.stringify(protocol)} is no protocol id: lower case, digits and hyphens`);
  const origins = [values.tx, values.address, values.message].filter((one) => one !== undefined).length;
  if (origins > 1)
    throw new UsageError("a rule is drafted from one of --tx, --address and --message (several_origins)");
  if (origins === 0)
    throw new UsageError("expected --tx HASH, --address 0x… or --message FILE: a rule is drafted from one of them");
  const address = values.address === undefined ? undefined : readAddress(values.address);
  if (values.address !== undefined && address === undefined)
    throw new UsageError("--address expects 0x followed by 40 hex digits");
  const hash = values.tx === undefined ? noHash : readPastedHash(values.tx);
  if (hash === undefined) throw new UsageError("--tx expects 0x followed by 64 hex digits, or a link with them");
  const { role = null, action = null, message, family, recordings, rpc, abi } = values;
  if (role !== null && !/^[a-z][a-z0-9_]*$/.test(role))
    throw new UsageError(`${JSON.stringify(role)} is no role: lower case, digits and underscores`);
  return { protocol, hash, address, role, action, message, family, recordings, rpc, abi };
}

const noHash = `0x${"0".repeat(64)}` as Hash;

/** Throws UsageError where the protocol has a file. */
function refuseTaken(protocol: string, sources: LintSources): void {
  const taken = sources.rules.find(({ file }) => file.endsWith(`/${protocol}.yaml`));
  if (taken !== undefined) throw new UsageError(`${taken.file} is there already`);
}

/** Throws UsageError. null: the action is guessed. */
export function refuseUnknownAction(action: string | null, actions: ReadonlyMap<string, unknown>): void {
  if (action === null || actions.has(action)) return;
  const close = suggest(action, [...actions.keys()]);
  const hint = close === undefined ? "" : `; did you mean ${close}?`;
  throw new UsageError(`rules/actions.yaml has no action ${JSON.stringify(action)}${hint}`);
}

function draftMessage({ protocol, family, action: wanted }: Order, message: string): CommandResult {
  const home = openDraftHome(family);
  refuseTaken(protocol, home.sources);
  const data = readMessage(message);
  if (wanted !== null) refuseUnknownAction(wanted, compileSources(home.sources.rules).ruleset.actions);
  const action = wanted ?? "contract_interaction";
  const path = home.pathOf(protocol, action);
  const text = textOf(protocol, data, action, home.schema);
  writeNew(path, text);
  const steps = home.stepsFor(shownPath(path), protocol, null);
  const told = { text, action, anchor: `message ${data.primaryType}`, protocol, recorded: [], steps };
  return { status: 0, out: toldSteps(path, told), err: "" };
}

/** Throws UsageError where it cannot be read, and TypedDataError with the file's name. */
function readMessage(path: string): ReturnType<typeof readTypedData> {
  const text = readGiven(path);
  try {
    return readTypedData(text);
  } catch (error) {
    if (error instanceof TypedDataError) throw new TypedDataError(error.code, `${path}: ${error.message}`);
    throw error;
  }
}

/** Throws UsageError for a message that no rule can read. */
function textOf(...message: Parameters<typeof messageFileText>): string {
  try {
    return messageFileText(...message);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function draft(order: Order, tell: (line: string) => void): Promise<CommandResult> {
  const { protocol, hash, role, action } = order;
  const home = openDraftHome(order.family);
  const { sources, schema } = home;
  refuseTaken(protocol, sources);
  const items = order.abi.flatMap(readAbiFile);
  const { caseFile, recorded, dir: recordingsDir } = await findCase(hash, order, tell);
  const input = openSurvey(caseFile, sources);
  refuseUnknownAction(action, input.loaded.ruleset.actions);
  const published = await findAbis(listUnnamed(input), tell);
  // The action is not known yet, so the folder is not either.
  const file = shownPath(home.pathOf(protocol, ""));
  const given = { protocol, file, caseFile, recordingsDir, schema };
  const result = scaffold(given, { input, findings: { items, published, role, action } });
  if ("problem" in result) return { status: 1, out: "", err: `rule-lint: ${result.problem}\n` };
  const path = home.pathOf(protocol, result.action);
  writeNew(path, result.text);
  const steps = home.stepsFor(shownPath(path), protocol, recordingsDir);
  return { status: 0, out: toldSteps(path, { ...result, protocol, recorded, steps }), err: "" };
}

/** Without a transaction: from the ABI that is given, else from the one that others publish. */
async function draftContract(order: Order, address: Address, tell: (line: string) => void): Promise<CommandResult> {
  const { protocol, role, action } = order;
  const home = openDraftHome(order.family);
  refuseTaken(protocol, home.sources);
  const given = order.abi.flatMap(readAbiFile);
  const { ruleset } = compileSources(home.sources.rules);
  refuseUnknownAction(action, ruleset.actions);
  const taken = ruleset.names.find((one) => one.address === address);
  if (taken !== undefined)
    throw new UsageError(`${checksum(address)} is ${taken.label} in a rule file already; add the rule to that file`);
  const published = given.length > 0 ? undefined : (await findAbis([address], tell)).get(address);
  const items = published?.items ?? given;
  if (items.length === 0)
    throw new UsageError(`nobody publishes an ABI of ${checksum(address)}; put it into a file and add --abi FILE`);
  const file = shownPath(home.pathOf(protocol, ""));
  const contract = { protocol, file, address, items, name: published?.name ?? null, role, action, schema: home.schema };
  const result = draftAddress(contract, home.sources);
  if ("problem" in result) return { status: 1, out: "", err: `rule-lint: ${result.problem}\n` };
  const path = home.pathOf(protocol, result.action);
  writeNew(path, result.text);
  const steps = home.stepsFor(shownPath(path), protocol, null);
  return { status: 0, out: toldSteps(path, { ...result, protocol, recorded: [], steps }), err: "" };
}

/** Throws UsageError where it exists or cannot be written. */
function writeNew(path: string, text: string): void {
  usingFile(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: "wx" });
  });
}

/** Throws UsageError. */
function readGiven(path: string): string {
  return usingFile(path, () => readFileSync(path, "utf8"));
}

/** Throws UsageError with the file's name. */
function readAbiFile(path: string): KnownItem[] {
  const text = readGiven(path);
  try {
    return readAbiText(text).map((item) => ({ ...item, origin: path }));
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message.split("\n")[0]}`);
  }
}

/** Recorded, or fetched and recorded. Throws UsageError when no endpoint answers in time. */
async function findCase(hash: Hash, { rpc, recordings }: Order, tell: (line: string) => void) {
  const { read, write } = recordingFolders(recordings);
  const found = read.find((folder) => existsSync(join(folder, `${hash}.json`)));
  if (found !== undefined) return { caseFile: await readCase(join(found, `${hash}.json`)), recorded: [], dir: found };
  const config = networkConfig(rpc);
  const hosts = config.rpcUrls.map((url) => new URL(url).host).join(", ");
  tell(`asking ${hosts} for the transaction, ${waitMs / 1_000} s at most`);
  const patient = { ...config, deadlineMs: waitMs, rpcTimeoutMs: waitMs };
  try {
    const caseFile = await withExplainer(patient, (explainer) => explainer.gather(hash));
    return { caseFile, recorded: [await writeCase(write, caseFile)], dir: write };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "upstream_unavailable") throw error;
    const message = `no endpoint told the transaction within ${waitMs / 1_000} s (asked: ${hosts})`;
    throw new UsageError(`${message}; name another one by --rpc, or put a recording into ${shownPath(write)}`);
  }
}

/** Published by others in time. */
async function findAbis(addresses: readonly Address[], tell: (line: string) => void) {
  const config = readConfig();
  const hosts = publishersOf(config);
  if (addresses.length > 0 && hosts.length > 0)
    tell(`asking ${hosts.join(" and ")} for names and ABIs, ${waitMs / 1_000} s at most`);
  return findPublished(addresses, config, waitMs);
}

export function toldSteps(
  path: string,
  given: Scaffold & { protocol: string; recorded: readonly string[]; steps?: readonly string[] | undefined },
): string {
  const { protocol, text, action, anchor, recorded } = given;
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
    ...(given.steps ?? checkoutSteps(file, protocol)).map((step) => `  ${step}`),
    "",
  ].join("\n");
}

function checkoutSteps(file: string, protocol: string): string[] {
  return [
    `npm run -s rule-lint -- ${file}`,
    `npm run -s rule-lint -- --mutate ${file}`,
    `npm run -s rule-lint -- order --of ${protocol}`,
    "npm run -s rules:order",
    "npm run golden",
    "npm run golden -- --write",
    "npm test",
  ];
}
