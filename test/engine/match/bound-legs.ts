import { bindLegs } from "../../../src/engine/match/bind-legs.ts";
import type { MatchContext } from "../../../src/model/match.ts";
import type { Log, Movement, Transaction } from "../../../src/model/transaction.ts";
import type { CompiledLeg } from "../../../src/rules/ruleset/compiled.ts";
import { alice, bob, carol, token, usdc } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

/** A leg that asks for nothing but what is given. */
export const leg = (name: string, asks: Partial<CompiledLeg> = {}): CompiledLeg => ({
  ...{ name, optional: false, many: false, standards: null, token: null, from: null, to: null, amount: null, id: null },
  ...asks,
});
/** Asks for this value. */
export const is = (value: unknown) => (() => value) as unknown as CompiledLeg["token"] & object;

interface Given {
  moves: readonly Movement[];
  anchor?: number;
  explained?: number[];
  tx?: Partial<Transaction>;
}

/** The movement that each leg is bound to, and all movements that are claimed. Undefined if the legs do not fit. */
export function bound(legs: readonly CompiledLeg[], { moves, anchor, explained = [], tx }: Given) {
  const context = {
    tx: moved(moves, tx),
    legs: [],
    log: anchor === undefined ? null : ({ index: anchor } as Log),
    admits: (gate: { only: string }, address: string) => gate.only === address,
  } as unknown as MatchContext;
  const found = bindLegs(legs, context, new Set(explained));
  return found && { legs: found.context.legs.map((one) => one?.index ?? null), movements: found.movements };
}

export const three = [
  move(usdc, alice, bob, 5n, { log: 0 }),
  move(token, alice, carol, 6n, { log: 1 }),
  move(null, bob, alice, 7n),
];
