import { type Address, isNativePlaceholder, readAddress } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import {
  approvalForAllTopic,
  approvalTopic,
  totalSupplySelector,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
} from "../../kernel/token-standards.ts";
import type { RpcLog, RpcReceipt, RpcTransaction } from "../../model/case-file.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import { gateMembers, mayBeMember } from "../../rules/ruleset/compile/gate.ts";
import type { CompiledMember } from "../../rules/ruleset/compiled.ts";
import { type GrantTable, readGrantLog } from "../../rules/ruleset/grant-table.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import { registryCalldata } from "../unwrap/gates.ts";

/** topic0 of events that move a token or give a right over it. */
const tokenTopics = new Set<string>([
  ...[transferTopic, transferSingleTopic, transferBatchTopic],
  ...[approvalTopic, approvalForAllTopic],
]);

/** Worthless approvals are cheap to write. */
const suppliesMax = 16;

/** What concerns principals is asked first. */
export interface PlanInput extends Pick<SubjectAct, "principals" | "labels" | "ruleset"> {
  transaction: RpcTransaction;
  receipt: RpcReceipt;
  /** Reached by the principals' money or calls. */
  involved: ReadonlySet<Address>;
}

/** Second round trip: metadata of unlisted tokens, supplies of allowed ones, membership reads. */
export function planReads(input: PlanInput): Pick<LookupPlan, "tokens" | "reads"> {
  const measured = suppliesOf(input).map((token) => ({ to: token, data: totalSupplySelector }));
  return { tokens: tokensOf(input), reads: [...measured, ...membershipReads(input)] };
}

/** Of allowances in the logs: principals' listed tokens, their others, then everybody's. */
function suppliesOf({ receipt, ruleset, labels, principals }: PlanInput): Address[] {
  const words = wordsOf(principals);
  const found: Address[][] = [[], [], []];
  for (const log of receipt.logs) {
    const emitter = readAddress(log.address);
    const token = emitter === undefined ? undefined : grantedToken(emitter, log, ruleset.grants);
    if (token === undefined || isNativePlaceholder(token)) continue;
    const own = log.topics.some((topic) => words.has(topic.toLowerCase()));
    const listed = labels.token(token) !== undefined;
    found[own ? (listed ? 0 : 1) : 2]?.push(token);
  }
  return [...new Set(found.flat())].slice(0, suppliesMax);
}

/** Unlisted, moved or allowed; those with a principal in the log first. */
function tokensOf({ receipt, ruleset, labels, principals }: PlanInput): Address[] {
  const words = wordsOf(principals);
  const found: Address[][] = [[], []];
  for (const log of receipt.logs) {
    const emitter = readAddress(log.address);
    if (emitter === undefined) continue;
    const own = log.topics.some((topic) => words.has(topic.toLowerCase()));
    const tokens = tokenTopics.has(log.topics[0]?.toLowerCase() ?? "") ? [emitter] : [];
    const granted = grantedToken(emitter, log, ruleset.grants);
    if (granted !== undefined) tokens.push(granted);
    for (const token of tokens) if (labels.token(token) === undefined) found[own ? 0 : 1]?.push(token);
  }
  return [...new Set(found.flat())].slice(0, limits.tokensMax);
}

/** Called contract, involved contracts, other emitters. */
function membershipReads({ transaction, receipt, ruleset, labels, involved }: PlanInput): Read[] {
  const reads = new Map<string, Read>();
  const to = readAddress(transaction.to);
  if (to !== undefined && labels.name(to) === undefined)
    for (const rule of ruleset.bySelector.get(transaction.input?.slice(0, 10).toLowerCase() ?? "") ?? [])
      if (rule.anchor.kind === "call") for (const member of gateMembers(rule.anchor.gate)) addReads(member, to, reads);
  const emitted = receipt.logs.flatMap(({ address, topics }) => {
    const emitter = readAddress(address);
    // Named by rules or labels: needs no proof.
    return emitter === undefined || labels.name(emitter) !== undefined ? [] : [{ emitter, topic: topics[0] ?? "" }];
  });
  const isInvolved = ({ emitter }: (typeof emitted)[number]) => involved.has(emitter);
  for (const { emitter, topic } of [...emitted.filter(isInvolved), ...emitted.filter((one) => !isInvolved(one))])
    for (const member of membersFor(topic.toLowerCase(), ruleset)) addReads(member, emitter, reads);
  return [...reads.values()];
}

/** For the writer of an event: of its rules, and kinds of tokens. */
function membersFor(topic: string, { byTopic, limitedTokens }: PlanInput["ruleset"]): readonly CompiledMember[] {
  const members = (byTopic.get(topic) ?? []).flatMap(({ anchor }) =>
    anchor.kind === "event" ? gateMembers(anchor.gate) : [],
  );
  return tokenTopics.has(topic) ? [...members, ...limitedTokens] : members;
}

export function membersReads(members: readonly CompiledMember[], contract: Address): Read[] {
  const reads = new Map<string, Read>();
  for (const member of members) addReads(member, contract, reads);
  return [...reads.values()];
}

/** Of moved or allowed tokens of a principal, and `named` ones; not other forms. */
export function noteReads({ receipt, ruleset, principals }: PlanInput, named: readonly Address[]): Read[] {
  const words = wordsOf(principals);
  const own = receipt.logs.filter(
    ({ topics }) =>
      tokenTopics.has(topics[0]?.toLowerCase() ?? "") && topics.some((topic) => words.has(topic.toLowerCase())),
  );
  const tokens = new Set([...own.flatMap(({ address }) => readAddress(address) ?? []), ...named]);
  const reads = new Map<string, Read>();
  for (const token of [...tokens].slice(0, notedTokensMax))
    for (const { gate, data } of ruleset.notes)
      for (const member of gateMembers(gate)) {
        if (!mayBeMember(member, token)) continue;
        addReads(member, token, reads);
        reads.set(`${token}${data}`, { to: token, data });
      }
  return [...reads.values()];
}

/** Without repeated ones. */
export function distinctReads(reads: readonly Read[]): Read[] {
  return [...new Map(reads.map((read) => [`${read.to}${read.data}`, read])).values()];
}

const notedTokensMax = 8;

interface Read {
  to: Address;
  data: Hex;
}

/** 32 bytes of lower-case hex. */
function wordsOf(addresses: Iterable<Address>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const address of addresses) words.add(`0x${address.slice(2).padStart(64, "0")}`);
  return words;
}

/** EIP-20 Approval, or an event of a contract that holds allowances. */
function grantedToken(emitter: Address, { topics, data }: RpcLog, { events }: GrantTable): Address | undefined {
  const topic = topics[0]?.toLowerCase() ?? "";
  if (topic === approvalTopic && topics.length === 3) return emitter;
  const manager = events.get(topic)?.find(({ contracts, amount }) => amount !== null && contracts.has(emitter));
  return manager === undefined ? undefined : readAddress(readGrantLog(manager, { topics, data })?.token);
}

function addReads(member: CompiledMember, address: Address, reads: Map<string, Read>): void {
  if (!mayBeMember(member, address)) return;
  for (const proof of member.proofs) {
    if (reads.size >= limits.readsMax) return;
    if (proof.kind === "registry") {
      const data = registryCalldata(proof.read, address);
      reads.set(`${proof.registry}${data}`, { to: proof.registry, data });
    }
    if (proof.kind === "create2")
      for (const read of proof.reads) reads.set(`${address}${read.hash}`, { to: address, data: read.hash });
  }
}
