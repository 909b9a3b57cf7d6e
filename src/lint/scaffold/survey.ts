import type { Address } from "../../kernel/address.ts";
import { selectorOf } from "../../kernel/hex.ts";
import { match } from "../../match/match.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import type { ActorCall, BalanceChanges } from "../../model/match.ts";
import type { Log, Movement } from "../../model/transaction.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import { normalize } from "../../normalize/normalize.ts";
import { tierRank } from "../../ruleset/actions.ts";
import type { LoadedRuleset } from "../../ruleset/load.ts";
import { measureCompleteness } from "../../settle/completeness.ts";
import { settle } from "../../settle/settle.ts";
import { GateKeeper } from "../../unwrap/gates.ts";
import { unwrap } from "../../unwrap/unwrap.ts";
import { guessAction, guessRole } from "./guess.ts";
import type { PublishedContract, WrittenItem } from "./published-abi.ts";
import { roleFromName, unusedRole } from "./role-name.ts";

/** An ABI item that somebody has written down. */
export interface KnownItem extends WrittenItem {
  /** The rule file, ABI file or server that has it. */
  origin: string;
}

/** A contract of the transaction that no rule file names yet, with what it was asked and what it said. */
export interface SeenContract {
  role: string;
  address: Address;
  /** Its label of labels/, which the new file has to repeat. */
  label: string | undefined;
  /** Who published its source code; undefined when nobody is known to. */
  source: string | undefined;
  calls: { call: ActorCall; selector: string; known: KnownItem | undefined }[];
  logs: { log: Log; known: KnownItem | undefined }[];
}

/** What a new rule could be made of. */
export interface Survey {
  subject: Address;
  flow: BalanceChanges;
  movements: readonly Movement[];
  contracts: SeenContract[];
  /** Rules that stand for the transaction today. */
  stands: string[];
  /** What the author says was done. */
  action: string | null;
}

/** ABI items beside those of the rule files. */
export interface PublishedFacts {
  /** Given by the author: for any contract. */
  items: readonly KnownItem[];
  published: ReadonlyMap<Address, PublishedContract>;
  /** What the author calls the contract that the subject called; null leaves it to us. */
  role: string | null;
  /** What the author says was done; null leaves it to us. */
  action: string | null;
}

/** What a survey reads. */
export interface SurveyGround {
  caseFile: CaseFile;
  loaded: LoadedRuleset;
  labels: Labels;
}

/** Looks at what the rules of today leave unexplained. */
export function surveyCase({ caseFile, loaded, labels }: SurveyGround, findings: PublishedFacts): Survey {
  const { ruleset } = loaded;
  const normalized = normalize(caseFile, labels);
  const gates = new GateKeeper(normalized, caseFile);
  const unwrapped = unwrap(normalized, ruleset, gates);
  const settled = settle(match(unwrapped, ruleset, gates), unwrapped, ruleset.grants);
  const { tx, subject } = unwrapped;
  const { logs } = measureCompleteness({ unwrapped, settled, subject });
  const items = new ItemIndex(loaded.files, findings);
  const parents = new Set(unwrapped.calls.map((call) => call.parent));
  const taken = new Set(ruleset.names.map(({ address }) => address));
  const seen = new Map<Address, Omit<SeenContract, "role">>();
  // Markets and vaults are tokens too: where nothing explains the transaction, a call of one is what it is about.
  const explained = settled.actions.some(({ rule }) => rule.tier < tierRank("fallback"));
  const open = (address: Address, called: boolean): Omit<SeenContract, "role"> | undefined => {
    const token = labels.token(address) !== undefined && !seen.has(address) && !(called && !explained);
    // What a rule file names belongs to that file; what the subject moved is only a token.
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
  const stands = settled.actions.map(({ rule }) => rule.id);
  return {
    subject,
    flow,
    movements: tx.movements,
    contracts: nameRoles(contracts, flow, tx.movements),
    stands,
    action: findings.action,
  };

  function nameRoles(found: Omit<SeenContract, "role">[], net: BalanceChanges, movements: readonly Movement[]) {
    const used = new Set<string>();
    const main = found.find(({ calls }) => calls.length > 0) ?? found[0];
    return found.map((contract): SeenContract => {
      const words = [...contract.calls, ...contract.logs].flatMap(({ known }) => known?.name ?? []);
      const action = findings.action ?? guessAction(words, { flow: net, movements });
      const role =
        (contract === main ? findings.role : null) ??
        roleFromName(findings.published.get(contract.address)?.name ?? contract.label) ??
        (caseFile.tokens[contract.address] === undefined
          ? guessRole(words, { action, called: contract.calls.length > 0 })
          : "token");
      return { role: unusedRole(role, used), ...contract };
    });
  }
}

/** ABI items by selector, and by topic0 with the number of topics: versions of one event differ in what is indexed. */
class ItemIndex {
  /** Keys of one contract begin with its address. */
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

  /** Another function with the same selector does not read the same calldata. */
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
