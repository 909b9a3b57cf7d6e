import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import type { ReadLookup, TokenLookup } from "../../model/case-file.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import type { Read } from "../network/rpc/multicall.ts";
import { metadataReads, readsPerToken, readTokenMetadata, unknownToken } from "./token-metadata.ts";

/** What tokens answered, for later transactions. */
export interface TokenMemory {
  get(token: Address): TokenLookup | undefined;
  set(token: Address, lookup: TokenLookup): void;
}

/** Within the limits, without known tokens. */
export interface ReadSet {
  /** In the order of {@link settleReads}. */
  reads: Read[];
  asked: Address[];
  known: Record<string, TokenLookup>;
  planned: readonly Read[];
  /** Beyond the limit: inconclusive. */
  overflow: readonly Read[];
}

/** Multicall3, second round trip. */
export function openReads(plan: Pick<LookupPlan, "tokens" | "reads">, memory: TokenMemory): ReadSet {
  const known: Record<string, TokenLookup> = {};
  const asked: Address[] = [];
  for (const token of [...new Set(plan.tokens)].sort()) {
    const remembered = memory.get(token);
    if (remembered !== undefined) known[token] = remembered;
    else if (asked.length < limits.tokensMax) asked.push(token);
    else known[token] = unknownToken("inconclusive", beyondLimit);
  }
  const planned = plan.reads.slice(0, limits.readsMax);
  const reads = [...asked.flatMap(metadataReads), ...planned];
  return { reads, asked, known, planned, overflow: plan.reads.slice(limits.readsMax) };
}

/** `answer`: undefined where nobody answered. */
export function settleReads(
  set: ReadSet,
  answer: { returns: readonly (Hex | null)[]; source: string } | undefined,
  memory: TokenMemory,
): { tokens: Record<string, TokenLookup>; reads: ReadLookup[] } {
  const tokens = { ...set.known };
  for (const [i, token] of set.asked.entries()) {
    const returns = answer?.returns.slice(i * readsPerToken, (i + 1) * readsPerToken);
    const lookup =
      answer === undefined || returns === undefined
        ? unknownToken("unavailable", multicallSource)
        : readTokenMetadata(returns, answer.source);
    memory.set(token, lookup);
    tokens[token] = lookup;
  }
  const offset = set.asked.length * readsPerToken;
  const reads = set.planned.map((read, i) => settleRead(read, answer?.returns[offset + i], answer?.source));
  const cut = set.overflow.map(
    (read): ReadLookup => ({ status: "inconclusive", source: beyondLimit, ...read, result: null }),
  );
  return { tokens, reads: [...reads, ...cut] };
}

export const multicallSource = "multicall3";
const beyondLimit = "beyond the limit of one transaction";

/** A revert or no code is `absent`: it proves nothing about membership. */
function settleRead(read: Read, result: Hex | null | undefined, source: string | undefined): ReadLookup {
  if (source === undefined || result === undefined) {
    return { status: "unavailable", source: multicallSource, ...read, result: null };
  }
  if (result === null || result === "0x") return { status: "absent", source, ...read, result: null };
  return { status: "found", source, ...read, result };
}
