import { keccak256 } from "viem/utils";
import { addressIn } from "../../../gather/lookup/risk/proxy.ts";
import { metadataReads, readTokenMetadata } from "../../../gather/lookup/token-metadata.ts";
import type { RpcAnswer, RpcCall } from "../../../gather/network/rpc/endpoint.ts";
import type { Address } from "../../../kernel/address.ts";
import { type Hex, readHex } from "../../../kernel/hex.ts";
import type { ProxyForm } from "../../../model/label.ts";
import { type Citation, readCitation } from "../../../rules/documents/citation.ts";
import type { RuleDocument } from "../../../rules/ruleset/document/rule-document.ts";
import type { CitedFact } from "./cited-fact.ts";
import { absent, type CheckedSource, found, moved, uncheckable, type Verdict } from "./verdict.ts";

/** The result of a failed call is undefined. */
export interface ChainCheck {
  fact: CitedFact;
  /** For reports. */
  source: string;
  calls: readonly RpcCall[];
  /** Or a further check. */
  judge(results: readonly unknown[]): Verdict | ChainCheck;
}

export type AskChain = (calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[] | string>;

type CodeCitation = Extract<Citation, { kind: "block" }>;

/** Checks that code is there with the cited hash, and symbols and decimals. */
export function listChainChecks(facts: readonly CitedFact[], proxies: readonly ProxyForm[]): ChainCheck[] {
  const withCode = new Map<object, ReadonlySet<string>>();
  return facts.flatMap((fact) => {
    const { address, document } = fact;
    if (address === null) return [];
    const checks: ChainCheck[] = [];
    if (document !== undefined) {
      const roles = withCode.get(document) ?? rolesWithCode(document);
      withCode.set(document, roles);
      if (roles.has(fact.role)) checks.push(hasCode(fact, address));
    } else if (fact.role === "account_abstraction" || fact.role === "oracle") checks.push(hasCode(fact, address));
    if (fact.decimals !== undefined && !isPseudo(address)) checks.push(tellsToken(fact, address));
    for (const source of fact.sources) {
      const citation = readCitation(source);
      if (citation?.kind === "block") checks.push(sameCode({ fact, source, citation, address }, proxies));
    }
    return checks;
  });
}

/** They write events or are called. */
const places = new Set(["at", "call_at", "contract", "deployer", "emitter"]);

/** They write events or run functions for the rules; other roles may be plain accounts. */
export function rolesWithCode(document: RuleDocument): ReadonlySet<string> {
  const roles = new Set<string>();
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    for (const [key, value] of Object.entries(node))
      if (!places.has(key)) visit(value);
      else for (const role of [value].flat()) if (typeof role === "string") roles.add(role);
  };
  const { rules = [], contracts: _, examples: __, ...others } = document;
  visit(others);
  // Rules about plain calls and about any call are left out: such calls also go to plain accounts.
  for (const rule of rules) if (rule.event !== undefined || (rule.call !== "any" && rule.call !== "plain")) visit(rule);
  return roles;
}

/** Runs in batches, then the further checks. `uncheckable` where the endpoint does not answer. */
export async function runChainChecks(
  checks: readonly ChainCheck[],
  ask: AskChain,
  onProgress: (done: number, all: number) => void,
): Promise<CheckedSource[]> {
  const told: CheckedSource[] = [];
  const further: ChainCheck[] = [];
  for (let start = 0; start < checks.length; start += checksPerBatch) {
    onProgress(start, checks.length);
    const batch = checks.slice(start, start + checksPerBatch);
    const answers = await ask(batch.flatMap(({ calls }) => calls));
    let at = 0;
    for (const { fact, source, calls, judge } of batch) {
      const own = typeof answers === "string" ? [] : answers.slice(at, at + calls.length);
      at += calls.length;
      const results = own.map((answer) => (answer.ok ? answer.result : undefined));
      const verdict =
        typeof answers === "string" ? uncheckable(`the endpoint gave nothing: ${answers}`) : judge(results);
      if ("judge" in verdict) further.push(verdict);
      else told.push({ fact, source, ...verdict });
    }
  }
  return further.length === 0 ? told : [...told, ...(await runChainChecks(further, ask, onProgress))];
}

const checksPerBatch = 25;

/** ERC-7528, which has no contract. */
function isPseudo(address: Address): boolean {
  return /^0xe{40}$/i.test(address);
}

function codeOf(address: Address): RpcCall {
  return { method: "eth_getCode", params: [address, "latest"] };
}

function hasCode(fact: CitedFact, address: Address): ChainCheck {
  const judge = ([code]: readonly unknown[]): Verdict => {
    if (typeof code !== "string") return uncheckable("the endpoint told no code");
    return code.length > 2 ? found : absent("no code is at the address");
  };
  return { fact, source: "code on chain", calls: [codeOf(address)], judge };
}

function tellsToken(fact: CitedFact, address: Address): ChainCheck {
  const reads = metadataReads(address);
  const judge = (results: readonly unknown[]): Verdict => {
    const returns = reads.map((_, i) => (typeof results[i] === "string" ? (results[i] as Hex) : null));
    const { symbol, decimals } = readTokenMetadata(returns, "chain");
    if (decimals === null) return absent("the contract tells no decimals");
    if (decimals !== fact.decimals) return absent(`the contract has ${decimals} decimals`);
    if (fact.symbol !== undefined && symbol !== fact.symbol)
      return moved(`the contract calls itself ${JSON.stringify(symbol)}`);
    return found;
  };
  const calls = reads.map((read): RpcCall => ({ method: "eth_call", params: [read, "latest"] }));
  return { fact, source: "token on chain", calls, judge };
}

interface CodeQuestion {
  fact: CitedFact;
  source: string;
  citation: CodeCitation;
  address: Address;
}

/** Hash of the code now, at the address or behind a proxy with a known storage slot. */
function sameCode({ fact, source, citation, address }: CodeQuestion, proxies: readonly ProxyForm[]): ChainCheck {
  const { block, hash, of } = citation;
  const compare = (code: unknown): Verdict => {
    if (typeof code !== "string") return uncheckable("the endpoint told no code");
    if (code.length <= 2) return absent("no code is at the address");
    return keccak256(code as Hex) === hash ? found : moved(`the code is another than at block ${block}`);
  };
  if (of === "code") return { fact, source, calls: [codeOf(address)], judge: ([code]) => compare(code) };
  const slots = proxies.flatMap(({ slot, asks, contains }) =>
    slot === undefined || asks !== undefined || contains !== undefined ? [] : [slot],
  );
  const calls = slots.map((slot): RpcCall => ({ method: "eth_getStorageAt", params: [address, slot, "latest"] }));
  const judge = (words: readonly unknown[]): Verdict | ChainCheck => {
    const [implementation] = words.flatMap((word) => addressIn(readHex(word) ?? null) ?? []);
    if (implementation === undefined) return uncheckable("no storage slot of a proxy tells whose code runs");
    return { fact, source, calls: [codeOf(implementation)], judge: ([code]) => compare(code) };
  };
  return { fact, source, calls, judge };
}
