import { balanceChanges } from "../../../engine/normalize/balance-changes.ts";
import { measureCompleteness } from "../../../engine/settle/completeness.ts";
import type { Address } from "../../../kernel/address.ts";
import { selectorOf } from "../../../kernel/hex.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Labels } from "../../../model/label.ts";
import type { ActorCall, BalanceChanges } from "../../../model/match.ts";
import type { Log, Movement } from "../../../model/transaction.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import type { LoadedRuleset } from "../../../rules/ruleset/compile-documents.ts";
import { tryCase } from "../trial.ts";
import { guessAction, guessRole, roleFromName, unusedRole } from "./guess.ts";
import type { PublishedContract, WrittenItem } from "./published-abi.ts";

export interface KnownItem extends WrittenItem {
  /** Rule file, ABI file or server. */
  origin: string;
}

/** Named by no rule file. */
export interface SeenContract {
  role: string;
  address: Address;
  /** In labels/; the new file has to repeat it. */
  label: string | undefined;
  /** Publisher of its source code. */
  source: string | undefined;
  calls: { call: ActorCall; selector: string; known: KnownItem | undefined }[];
  logs: { log: Log; known: KnownItem | undefined }[];
}

type UnnamedContract = Omit<SeenContract, "role">;

export interface Survey {
  subject: Address;
  flow: BalanceChanges;
  movements: readonly Movement[];
  contracts: SeenContract[];
  stands: string[];
  /** By the author. */
  action: string | null;
}

export interface PublishedFacts {
  /** By the author, for any contract. */
  items: readonly KnownItem[];
  published: ReadonlyMap<Address, PublishedContract>;
  /** Of the called contract; null: guessed. */
  role: string | null;
  /** null: guessed. */
  action: string | null;
}

export interface SurveyInput {
  caseFile: CaseFile;
  loaded: LoadedRuleset;
  labels: Labels;
}

export function surveyCase({ caseFile, loaded, labels }: SurveyInput, findings: PublishedFacts): Survey {
  const { ruleset } = loaded;
  const { tx, subject, unwrapped, settled } = tryCase(caseFile, { ruleset, labels });
  const logs = measureCompleteness({ unwrapped, settled, subject }).findLogs();
  const items = new ItemIndex(loaded.files, findings);
  const parents = new Set(unwrapped.calls.map((call) => call.parent));
  const taken = new Set(ruleset.names.map(({ address }) => address));
  const seen = new Map<Address, UnnamedContract>();
  // Markets and vaults are tokens too. Where nothing explains the transaction, a called token is taken as the contract that it is about.
  const explained = settled.actions.some(({ rule }) => rule.tier < tierRank("fallback"));
  const open = (address: Address, called: boolean): UnnamedContract | undefined => {
    const token = labels.token(address) !== undefined && !seen.has(address) && !(called && !explained);
    // A contract that a rule file names belongs in that file. A token that only moved is not a protocol.
    if (taken.has(address) || token || address === subject) return undefined;
    const known = seen.get(address);
    if (known !== undefined) return known;
    const [label, source] = [labels.name(address)?.label, findings.published.get(address)?.source];
    const contract = { address, label, source, calls: [], logs: [] };
    seen.set(address, contract);
    return contract;
  };
  for (const call of unwrapped.calls) {
    const selector = selectorOf(call.input);
    if (call.actor !== subject || call.to === null || selector === undefined || parents.has(call.id)) continue;
    open(call.to, true)?.calls.push({ call, selector, known: items.ofCall(call, call.to) });
  }
  for (const log of logs) open(log.address, false)?.logs.push({ log, known: items.ofLog(log) });
  const flow = balanceChanges(tx, subject);
  const contracts = [...seen.values()];
  // Called contracts come first in the map.
  const [main] = contracts;
  const used = new Set<string>();
  const roleOf = (contract: UnnamedContract): string => {
    if (contract === main && findings.role !== null) return findings.role;
    const published = roleFromName(findings.published.get(contract.address)?.name ?? contract.label);
    if (published !== undefined || caseFile.tokens[contract.address] !== undefined) return published ?? "token";
    const words = [...contract.calls, ...contract.logs].flatMap(({ known }) => known?.name ?? []);
    const action = findings.action ?? guessAction(words, flow, tx.movements);
    return guessRole(words, { action, called: contract.calls.length > 0 });
  };
  return {
    ...{ subject, flow, movements: tx.movements },
    contracts: contracts.map((contract) => ({ role: unusedRole(roleOf(contract), used), ...contract })),
    stands: settled.actions.map(({ rule }) => rule.id),
    action: findings.action,
  };
}

/** Items by selector, or by topic0 and number of topics: versions of an event may differ in what is indexed. */
class ItemIndex {
  /** With the address where the item is of one contract. */
  readonly #items: Map<string, KnownItem> = new Map();

  constructor(files: LoadedRuleset["files"], { items, published }: PublishedFacts) {
    for (const item of items) this.#add("", item);
    for (const [address, contract] of published)
      for (const item of contract.items) this.#add(address, { ...item, origin: contract.source });
    for (const { source, document, scope } of files)
      for (const [name, item] of scope?.abi ?? []) {
        const signature = document?.abi?.[name];
        if (signature !== undefined) this.#add("", { name, signature, item, origin: source.file });
      }
  }

  /** undefined where unknown, or where it does not read the calldata: selectors collide. */
  ofCall({ input }: ActorCall, to: Address): KnownItem | undefined {
    const known = this.#find(to, selectorOf(input) ?? "");
    return known?.item.kind === "function" && known.item.read(input) !== undefined ? known : undefined;
  }

  ofLog({ address, topics }: Log): KnownItem | undefined {
    return this.#find(address, `${topics[0]} ${topics.length}`);
  }

  #find(address: Address, key: string): KnownItem | undefined {
    return this.#items.get(`${address} ${key}`) ?? this.#items.get(` ${key}`);
  }

  #add(scope: string, known: KnownItem): void {
    const { item } = known;
    if (item.kind === "error") return;
    const key = `${scope} ${item.kind === "event" ? `${item.hash} ${item.topics}` : item.hash}`;
    if (!this.#items.has(key)) this.#items.set(key, known);
  }
}
