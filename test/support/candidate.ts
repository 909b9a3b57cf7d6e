import type { Candidate } from "../../src/engine/match/candidate.ts";
import { balanceChanges } from "../../src/engine/normalize/balance-changes.ts";
import type { Address } from "../../src/kernel/address.ts";
import type { Hex } from "../../src/kernel/hex.ts";
import type { ActorCall, MatchContext } from "../../src/model/match.ts";
import type { Log, Movement, Transaction } from "../../src/model/transaction.ts";
import { type TierName, tierRank } from "../../src/rules/ruleset/actions.ts";
import type { CompiledRule } from "../../src/rules/ruleset/compiled.ts";
import { alice, vault } from "./case-of.ts";

/** A candidate of a rule about an event of the subject itself. `home`: the contracts that the rule admits. */
export interface FitParts {
  rule?: Partial<Omit<CompiledRule, "tier" | "specificity">>;
  tier?: TierName;
  place?: number;
  home?: readonly Address[];
  context?: Partial<MatchContext>;
  fit?: Partial<Omit<Candidate, "rule" | "context">>;
}

export function candidateOf(id: string, tx: Transaction, parts: FitParts = {}): Candidate {
  const { tier = "protocol", place = 3, home = [vault] } = parts;
  const subject = parts.context?.subject ?? alice;
  return {
    rule: {
      ...{
        id,
        protocol: "Test",
        action: "act",
        status: "success",
        exchanges: false,
        anchor: { kind: "event", companion: null },
      },
      ...{ home, who: [], actsFor: null, flow: null, legs: [], absorbs: [], captures: new Map(), yields: false },
      ...{ defers: false, control: false, controlRank: 0, overrides: [], tier: tierRank(tier) },
      specificity: { place, evidence: 2, legs: 0 },
      ...parts.rule,
    } as unknown as CompiledRule,
    context: {
      ...{ tx, subject, flow: balanceChanges(tx, subject), log: null, call: null, move: null, legs: [], target: null },
      admits: (gate: readonly Address[], address: Address) => gate.includes(address),
      ...parts.context,
    } as unknown as MatchContext,
    ...{ logs: [], calls: [], movements: [], steps: [], absorbedMovements: [], alone: false, foreign: false },
    ...{ gift: null, position: 0, refit: null },
    ...parts.fit,
  };
}

/** A call of alice to the vault that ran. */
export function callOf(parts: Partial<ActorCall> = {}): ActorCall {
  return {
    ...{ id: 0, parent: -1, via: null, step: null, from: alice, actor: alice, to: vault, value: 0n },
    ...{ input: "0x12345678" as Hex, delegate: false, state: "executed", frame: -1 },
    ...parts,
  };
}

export function logAt(address: Address, topics: readonly string[] = [], parts: Partial<Log> = {}): Log {
  return { index: 0, address, topics: topics as Hex[], data: "0x", call: -1, ...parts };
}

/** Movements as their places. */
export function placesOf(moves: readonly (Movement | null)[]): (number | null)[] {
  return moves.map((each) => each?.index ?? null);
}
