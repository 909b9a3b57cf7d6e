/** How much of what alice gave reached an act, in a made-up transaction with few rules and labels. */

import { balanceChanges } from "../../../src/engine/normalize/balance-changes.ts";
import { ReachedMoney } from "../../../src/engine/settle/reached-money.ts";
import type { Unwrapped } from "../../../src/engine/unwrap/unwrap.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Movement, Transaction } from "../../../src/model/transaction.ts";
import { callOf, candidateOf, type FitParts } from "../../support/candidate.ts";
import { alice, carol, usdc } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

/** The selector of `approve`: a call that grants, and moves nothing. */
export const approve = "0x095ea7b3";
/** A contract that moves tokens for others. */
export const agent = "0x4444444444444444444444444444444444444444" as Address;

export interface World {
  moves: readonly Movement[];
  tx?: Partial<Transaction>;
  calls?: readonly ActorCall[];
  names?: readonly Address[];
}

export function worldOf({ moves, tx: more, calls = [callOf()], names = [] }: World) {
  const tx = moved(moves, more);
  const unwrapped = { tx, calls, subject: alice, certain: new Set() } as unknown as Unwrapped;
  const grants = {
    calls: new Map([[approve, [{ owner: null, amount: 1 }]]]),
    events: new Map([["0xa", [{ contracts: new Set([agent]) }]]]),
  };
  const labels = { name: (address: Address) => (names.includes(address) ? { name: "known" } : undefined) };
  return { tx, money: new ReachedMoney(unwrapped, { grants, labels } as never) };
}

/** How much of alice's first asset reached an act, how much went to whom else, and then how its first part arrived. */
export function reached(world: World, parts: FitParts = {}, account = alice) {
  const { tx, money } = worldOf(world);
  const act = candidateOf("act", tx, parts);
  const [asset] = balanceChanges(tx, account).gives;
  if (asset === undefined) throw new Error("nothing was given");
  const { amount, strangers } = money.of(act, account, asset);
  const [parcel] = money.trail.parcelsOf(account, asset);
  return [
    Number(amount),
    strangers.map(({ holder, amount: part }) => [holder, Number(part)]),
    parcel && money.covers(act, account, asset, parcel),
  ];
}

/** What alice gave. */
export const paid = (to: Address, of: Address | null = usdc) => move(of, alice, to, 10n);
/** The result of {@link reached} if nothing reached the act, and if everything did. */
export const lost = (to: Address) => [0, [[to, 10]], null];
export const all = [10, [], "reached"];
/** Parts of a rule about a call, and of a rule about money flow alone. */
export const callRule = { anchor: { kind: "call" } } as unknown as NonNullable<FitParts["rule"]>;
export const flowRule = { anchor: { kind: "none" } } as unknown as NonNullable<FitParts["rule"]>;
/** Parts of a rule about something that is given. */
export const givingRule = { flow: { gives: { min: 1, max: 9 }, gets: null } } as unknown as NonNullable<
  FitParts["rule"]
>;
/** Only the token is called, by an account that the rule does not admit. */
export const elsewhere = [callOf({ to: carol })];
