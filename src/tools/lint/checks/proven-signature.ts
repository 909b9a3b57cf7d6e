import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CaseFile, RpcFrame } from "../../../model/case-file.ts";
import type { AbiItem, EventItem, FunctionItem } from "../../../rules/abi/signature.ts";
import { listSources, readCitation } from "../../../rules/documents/citation.ts";
import type { Anchor } from "../../../rules/ruleset/compiled.ts";
import { readRecording } from "../examples/recording.ts";
import type { LintFinding, UsableFile } from "../rule-view.ts";

/**
 * RL308: signatures of anchors that neither a recording of the file nor a cited ABI shows. (An inline example proves nothing: it is encoded
 * from the same signature, also where that is wrong.) RL309: events that a recording shows with other `indexed` parameters than the
 * signature has.
 */
export function* checkSignatures(file: UsableFile, recordingsDir: string): Generator<LintFinding> {
  const { written, scope, document } = file;
  const own = Object.entries(written?.abi ?? {}).flatMap(([name]) => {
    const item = scope.abi.get(name);
    return item === undefined ? [] : [{ name, item }];
  });
  const cases = casesOf(file, recordingsDir);
  const home = new Set<string>([...scope.contracts.values()].flat());
  const logs = cases.map(({ transaction, receipt }) => ({
    hash: transaction.hash,
    logs: receipt.logs.filter(({ address }) => home.has(address)),
  }));
  const events = own.flatMap(({ name, item }) => (item.kind === "event" ? [{ name, item }] : []));
  for (const { name, item } of events) {
    const forms = events.filter((one) => one.item.hash === item.hash).map((one) => one.item);
    yield* otherForms(name, forms, logs);
  }
  if (written?.abi_source !== undefined || document.kind === "standard") return;
  const anchors = new Set(file.rules.flatMap(({ anchor }) => itemsOf(anchor)));
  const calldata = cases.map(calldataOf);
  const open = own.filter(({ item }) => anchors.has(item) && !isShown(item, cases, calldata));
  if (open.length === 0) return;
  const names = open.slice(0, namesMax).map(({ name }) => `\`${name}\``);
  if (open.length > namesMax) names.push(`${open.length - namesMax} more`);
  const last = names.pop();
  const listed = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  yield ["RL308", ["abi"], `no recording and no cited ABI shows ${listed}`, { key: true }];
}

const namesMax = 3;

function itemsOf(anchor: Anchor): AbiItem[] {
  if (anchor.kind === "event") return [anchor.event, ...(anchor.companion?.call ?? [])];
  return anchor.kind === "call" && anchor.call !== null && !anchor.call.step ? [anchor.call] : [];
}

/** The recordings that the file's examples and sources cite. */
function casesOf({ document, written }: UsableFile, dir: string): CaseFile[] {
  const cited = [
    written?.source,
    ...Object.values(document.contracts ?? {}).flatMap((list) => list.map((one) => one.source)),
  ];
  const sources = cited.flatMap((source) => listSources(source).map(readCitation));
  const hashes = new Set([
    ...(document.examples ?? []).flatMap(({ tx }) => tx ?? []),
    ...sources.flatMap((source) => (source?.kind === "transaction" ? source.hash : [])),
  ]);
  return [...hashes].flatMap((hash) => {
    const path = join(dir, `${hash}.json`);
    if (!existsSync(path)) return [];
    const read = readRecording(path);
    // RL604 reports a recording that cannot be read.
    return "problem" in read ? [] : read;
  });
}

function isShown(item: AbiItem, cases: readonly CaseFile[], calldata: readonly string[]): boolean {
  if (item.kind !== "event") return calldata.some((text) => text.includes(item.hash.slice(2)));
  return cases.some(({ receipt }) => receipt.logs.some((log) => isWritten(item, log)));
}

function isWritten({ hash, read }: EventItem, { topics, data }: CaseFile["receipt"]["logs"][number]): boolean {
  return topics[0] === hash && read(topics, data) !== undefined;
}

/** All calldata of a transaction as one text. The whole text is searched, because calls may be packed inside another call. */
function calldataOf({ transaction, trace }: CaseFile): string {
  const inputs: string[] = [transaction.input];
  const visit = ({ input, calls = [] }: RpcFrame): void => {
    inputs.push(input ?? "");
    calls.forEach(visit);
  };
  if ("root" in trace) visit(trace.root);
  return inputs.join(" ");
}

/** RL309 for one event. `forms`: the event as the file writes it, once or with several choices of `indexed`. */
function* otherForms(
  name: string,
  forms: readonly EventItem[],
  cases: readonly { hash: string | undefined; logs: CaseFile["receipt"]["logs"] }[],
): Generator<LintFinding> {
  const [item] = forms;
  for (const { hash, logs } of cases) {
    const log = logs.find((one) => one.topics[0] === item?.hash && !forms.some((form) => isWritten(form, one)));
    if (log === undefined || item === undefined) continue;
    const counts = `the log has ${log.topics.length} topics, and the signature ${item.topics}: `;
    const said = `${log.topics.length === item.topics ? "" : counts}other parameters are \`indexed\``;
    yield ["RL309", ["abi", name], `\`${name}\` is not what \`${hash?.slice(0, 10)}…\` shows: ${said}`];
    return;
  }
}

/**
 * For a recording in which a rule does not stand: the topic or selector that the rule asks for, and those that its contracts show instead.
 * undefined where no anchor explains it.
 */
export function seenInstead(anchors: readonly Anchor[], { receipt, transaction }: CaseFile): string | undefined {
  for (const anchor of anchors) {
    if ((anchor.kind !== "event" && anchor.kind !== "call") || anchor.gate.kind !== "set") continue;
    const { addresses } = anchor.gate;
    const [item, seen] =
      anchor.kind === "event"
        ? [
            anchor.event,
            receipt.logs
              .filter(({ address }) => (addresses as ReadonlySet<string>).has(address))
              .map(({ topics }) => topics),
          ]
        : [
            anchor.call,
            (addresses as ReadonlySet<string>).has(transaction.to ?? "") ? [[transaction.input.slice(0, 10)]] : [],
          ];
    if (item === null || seen.some(([first]) => first === item.hash)) continue;
    return expectedAndSeen(item, seen);
  }
  return undefined;
}

function expectedAndSeen(item: EventItem | FunctionItem, seen: readonly (readonly string[])[]): string {
  const what = item.kind === "event" ? "topic" : "selector";
  const told = [
    ...new Set(
      seen.map(([first = "none", ...rest]) => (item.kind === "event" ? `${first} with ${rest.length} more` : first)),
    ),
  ];
  const others =
    told.length === 0 ? "nothing of its contracts is there" : `its contracts show ${told.slice(0, 3).join(", ")}`;
  return `\`${item.signature}\` has the ${what} ${item.hash}, and ${others}`;
}
