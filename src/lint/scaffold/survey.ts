import { measureCompleteness } from "../../decode/completeness.ts";
import { netFlow } from "../../decode/flow.ts";
import { GateKeeper } from "../../decode/gates.ts";
import { matchRules } from "../../decode/match.ts";
import { normalize } from "../../decode/normalize.ts";
import { settle } from "../../decode/settle.ts";
import { unwrap } from "../../decode/unwrap.ts";
import type { Address } from "../../kernel/address.ts";
import { selectorOf } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import type { ActorCall, NetFlow } from "../../model/match.ts";
import type { Log } from "../../model/transaction.ts";
import type { LoadedRuleset } from "../../ruleset/load.ts";
import type { AbiItem } from "../../ruleset/signature.ts";

/** An ABI item that some rule file has, as it is written there. */
export interface KnownItem {
  name: string;
  signature: string;
  item: AbiItem;
  file: string;
}

/** A contract of the transaction that no file names yet, with what it was asked and what it said. */
export interface SeenContract {
  role: string;
  address: Address;
  calls: { call: ActorCall; selector: string; known: KnownItem | undefined }[];
  logs: { log: Log; known: KnownItem | undefined }[];
}

/** What a new rule could be made of. */
export interface Survey {
  subject: Address;
  flow: NetFlow;
  contracts: SeenContract[];
  /** Rules that stand for the transaction today. */
  stands: string[];
}

/** Looks at what the rules of today leave unexplained. */
export function surveyCase(caseFile: CaseFile, { ruleset, files }: LoadedRuleset, labels: Labels): Survey {
  const tx = normalize(caseFile, labels);
  const gates = new GateKeeper(tx, caseFile);
  const unwrapped = unwrap(tx, ruleset, gates);
  const settled = settle(matchRules(tx, unwrapped, ruleset, gates));
  const { subject } = unwrapped;
  const { logs } = measureCompleteness({ tx, unwrapped, settled, subject });
  const known = indexItems(files);
  const parents = new Set(unwrapped.calls.map((call) => call.parent));
  const seen = new Map<Address, SeenContract>();
  const open = (address: Address): SeenContract | undefined => {
    // What has a name belongs to a file that is there already; what the subject moved is only a token.
    if (labels.name(address) !== undefined || labels.token(address) !== undefined || address === subject)
      return undefined;
    const role = seen.size === 0 ? "main" : `contract_${seen.size + 1}`;
    const contract = seen.get(address) ?? { role, address, calls: [], logs: [] };
    seen.set(address, contract);
    return contract;
  };
  for (const call of unwrapped.calls) {
    const selector = selectorOf(call.input);
    if (call.actor !== subject || call.to === null || selector === undefined || parents.has(call.id)) continue;
    open(call.to)?.calls.push({ call, selector, known: readableCall(known.get(selector), call) });
  }
  for (const log of logs)
    open(log.address)?.logs.push({ log, known: known.get(`${log.topics[0]} ${log.topics.length}`) });
  return {
    subject,
    flow: netFlow(tx, subject),
    contracts: [...seen.values()],
    stands: settled.actions.map(({ rule }) => rule.id),
  };
}

/** Another function with the same selector does not read the same calldata. */
function readableCall(known: KnownItem | undefined, { input }: ActorCall): KnownItem | undefined {
  return known?.item.kind === "function" && known.item.read(input) !== undefined ? known : undefined;
}

/** By selector, and by topic0 with the number of topics: versions of one event differ in what is indexed. */
function indexItems(files: LoadedRuleset["files"]): Map<string, KnownItem> {
  const known = new Map<string, KnownItem>();
  for (const { source, document, scope } of files)
    for (const [name, item] of scope?.abi ?? []) {
      const key = item.kind === "event" ? `${item.hash} ${item.topics}` : item.hash;
      const signature = document?.abi?.[name];
      if (item.kind !== "error" && signature !== undefined && !known.has(key))
        known.set(key, { name, signature, item, file: source.file });
    }
  return known;
}
