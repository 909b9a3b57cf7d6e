import { toFunctionSelector } from "viem";
import { type Address, readAddress } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import { limits } from "../kernel/limits.ts";
import {
  approvalForAllTopic,
  approvalTopic,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
} from "../kernel/token-topics.ts";
import type { RpcLog, RpcReceipt, RpcTransaction } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import { gateMembers } from "../ruleset/compile/gate.ts";
import type { CompiledMember } from "../ruleset/compiled.ts";
import type { GrantTable } from "../ruleset/grant-table.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";
import { registryCalldata } from "../unwrap/gates.ts";

/** topic0 of every event that moves a token or grants it, so that its emitter's metadata is wanted. */
const tokenTopics = new Set<string>([
  transferTopic,
  transferSingleTopic,
  transferBatchTopic,
  approvalTopic,
  approvalForAllTopic,
]);

/** Tokens of approvals that are measured: junk approvals are cheap to write. */
const suppliesMax = 16;
const totalSupplyCall = toFunctionSelector("totalSupply()");

/** What the second round trip should ask: metadata of unlisted tokens, and the reads that prove membership. */
export function planLookups(
  transaction: RpcTransaction,
  receipt: RpcReceipt,
  ruleset: Ruleset,
  labels: Labels,
): Pick<LookupPlan, "tokens" | "reads"> {
  const tokens = new Set<Address>();
  const reads = new Map<string, { to: Address; data: Hex }>();
  const supplies = new Set<Address>();
  for (const log of receipt.logs ?? []) {
    const emitter = readAddress(log.address);
    const topic = log.topics[0]?.toLowerCase() ?? "";
    if (emitter === undefined) continue;
    if (tokenTopics.has(topic) && labels.token(emitter) === undefined && tokens.size < limits.tokensMax)
      tokens.add(emitter);
    const granted = grantedToken(emitter, log, ruleset.grants);
    if (granted !== undefined && supplies.size < suppliesMax) {
      supplies.add(granted);
      if (labels.token(granted) === undefined && tokens.size < limits.tokensMax) tokens.add(granted);
    }
    // A contract that rules or labels name needs no proof.
    if (labels.name(emitter) !== undefined) continue;
    for (const rule of ruleset.byTopic.get(topic) ?? [])
      if (rule.anchor.kind === "event")
        for (const member of gateMembers(rule.anchor.gate)) addReads(member, emitter, reads);
  }
  const to = readAddress(transaction.to);
  if (to !== undefined && labels.name(to) === undefined)
    for (const rule of ruleset.bySelector.get(transaction.input?.slice(0, 10).toLowerCase() ?? "") ?? [])
      if (rule.anchor.kind === "call") for (const member of gateMembers(rule.anchor.gate)) addReads(member, to, reads);
  const measured = [...supplies].map((token) => ({ to: token, data: totalSupplyCall }));
  return { tokens: [...tokens], reads: [...measured, ...reads.values()] };
}

/** The token of an allowance, which is measured by its supply: of an EIP-20 Approval, or of one that another contract keeps. */
function grantedToken(emitter: Address, { topics, data }: RpcLog, { events }: GrantTable): Address | undefined {
  const topic = topics[0]?.toLowerCase() ?? "";
  if (topic === approvalTopic && topics.length === 3) return emitter;
  const manager = events.get(topic)?.find(({ contracts, amount }) => amount !== null && contracts.has(emitter));
  return manager === undefined ? undefined : readAddress(manager.event.read(topics, data)?.[manager.token]);
}

function addReads(member: CompiledMember, address: Address, reads: Map<string, { to: Address; data: Hex }>): void {
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
