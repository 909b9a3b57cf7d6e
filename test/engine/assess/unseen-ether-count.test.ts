import { describe, expect, it } from "vitest";
import { countUnseenEther } from "../../../src/engine/assess/examined/examine.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { type Address, zeroAddress } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { move, moved } from "../../support/movements.ts";

interface World {
  moves?: Movement[];
  tx?: object;
  code?: Record<Address, string>;
  authorizations?: [authority: Address | null, delegate: Address][];
  reached?: Address[];
  delegated?: Address[];
}

/** Alice is the principal; the vault has a name, USDC is listed, wrapped ether is proven. */
function counted({ moves = [], tx = {}, code = {}, authorizations = [], reached = [bob, carol], ...rest }: World) {
  const verification = Object.fromEntries(Object.entries(code).map(([who, kind]) => [who, { code: kind }]));
  const act = {
    tx: moved(moves, {
      nativeComplete: false,
      authorizations: authorizations.map(([authority, delegate]) => ({ authority, delegate })),
      ...tx,
    }),
    principals: new Set([alice]),
    labels: {
      calendar: shippedLabels().calendar,
      name: (one: Address) => (one === vault ? {} : undefined),
      token: (one: Address) => (one === usdc ? {} : undefined),
    },
    file: { risk: { verification } },
    isProven: (one: Address) => one === weth,
  } as unknown as SubjectAct;
  return countUnseenEther(new Set(reached), (rest.delegated ?? []).map((address) => ({ address })) as never, act);
}
const sent = (to: Address, amount = 1n, parts: Partial<Movement> = {}) => move(null, alice, to, amount, parts);

describe("addresses that may have passed on ether unseen", () => {
  it.each<[string, World, number]>([
    ["nobody where nothing moved", {}, 0],
    ["whoever got some", { moves: [sent(bob)] }, 1],
    ["each once", { moves: [sent(bob), sent(carol), sent(bob)] }, 2],
    ["nobody where all ether is seen", { moves: [sent(bob)], tx: { nativeComplete: true } }, 0],
    ["nobody where it reverted", { moves: [sent(bob)], tx: { status: "reverted" } }, 0],
    ["not who got a token", { moves: [move(token, alice, bob, 1n)] }, 0],
    ["not who got a fee", { moves: [sent(bob, 1n, { fee: true })] }, 0],
    ["not who got nothing", { moves: [sent(bob, 0n)] }, 0],
    ["not whom it did not come to", { moves: [sent(bob)], reached: [carol] }, 0],
    ["not the principal", { moves: [sent(alice)], reached: [alice] }, 0],
    ["not who has no code", { moves: [sent(bob), sent(carol)], code: { [bob]: "none" } }, 1],
    ["who has code", { moves: [sent(bob)], code: { [bob]: "contract" } }, 1],
    ["not who has a name", { moves: [sent(vault)], reached: [vault] }, 0],
    ["not who is listed", { moves: [sent(usdc)], reached: [usdc] }, 0],
    ["not who is proven", { moves: [sent(weth)], reached: [weth] }, 0],
    ["not nobody", { moves: [sent(zeroAddress)], reached: [zeroAddress] }, 0],
    ["code that an authorization of the principal sets", { authorizations: [[alice, bob]] }, 1],
    ["code that an authorization of nobody known sets", { authorizations: [[null, bob]] }, 1],
    ["no code that others set", { authorizations: [[carol, bob]] }, 0],
    ["no code that is cleared", { authorizations: [[alice, zeroAddress]] }, 0],
    ["no code that has a name", { authorizations: [[alice, vault]] }, 0],
    ["code that ran as the account", { delegated: [bob, carol, bob] }, 2],
    ["no code with a name that ran", { delegated: [vault, usdc, weth] }, 0],
    ["all together, each once", { moves: [sent(bob)], authorizations: [[alice, bob]], delegated: [bob, carol] }, 2],
  ])("is %s", (_what, world, expected) => expect(counted(world)).toBe(expected));
});
