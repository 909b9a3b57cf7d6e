import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import { transferCall } from "../../../src/kernel/token-standards.ts";
import type { Call, Movement } from "../../../src/model/transaction.ts";
import { callOf, type FitParts } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { move } from "../../support/movements.ts";
import { agent, all, approve, elsewhere, lost, paid, reached, type World } from "./reached-case.ts";

describe("what an admitted contract had sent on", () => {
  const sent = [10, [], "sent"];
  const part = [move(usdc, alice, bob, 3n), move(usdc, alice, vault, 7n)];
  it.each<[string, World, FitParts, unknown[]]>([
    ["is sent where nothing else was called", { moves: [paid(bob)] }, {}, sent],
    [
      "is not where something else was called",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: carol })] },
      {},
      lost(bob),
    ],
    [
      "is where what else was called failed",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: carol, state: "failed" })] },
      {},
      sent,
    ],
    [
      "is where a token was allowed beside it",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: usdc, input: approve })] },
      {},
      sent,
    ],
    [
      "is where a listed token was allowed beside it",
      {
        moves: [paid(bob)],
        tx: { listed: new Set([token]) },
        calls: [callOf(), callOf({ id: 1, to: token, input: approve })],
      },
      {},
      sent,
    ],
    [
      "is not where something unknown was allowed beside it",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: token, input: approve })] },
      {},
      lost(bob),
    ],
    [
      "is not where the token was told to send it there",
      { moves: [paid(bob)], calls: [callOf(), callOf({ id: 1, to: usdc, input: `${transferCall(bob)}00` as never })] },
      {},
      lost(bob),
    ],
    [
      "is where the token was told to send something elsewhere",
      {
        moves: [paid(bob)],
        calls: [callOf(), callOf({ id: 1, to: usdc, input: `${transferCall(carol)}00` as never })],
      },
      {},
      sent,
    ],
    ["is not where nothing was called", { moves: [paid(bob)], calls: [] }, {}, lost(bob)],
    ["is not by an unproven contract", { moves: [paid(bob)] }, { place: 1 }, lost(bob)],
    ["is not ether", { moves: [paid(bob, null)] }, {}, lost(bob)],
    ["is not a larger part where the contract kept the rest", { moves: part }, {}, [7, [[bob, 3]], null]],
    [
      "is a larger part where somebody else kept the rest",
      { moves: [part[0] as Movement, move(usdc, alice, carol, 7n)] },
      {},
      sent,
    ],
    ["is for an exchange only a fifth", { moves: [paid(bob)] }, { rule: { exchanges: true } }, lost(bob)],
    [
      "is for an exchange a fifth",
      { moves: [move(usdc, alice, bob, 2n), move(usdc, alice, vault, 8n)] },
      { rule: { exchanges: true } },
      sent,
    ],
  ])("%s", (_, world, parts, expected) => expect(reached(world, parts)).toEqual(expected));

  const frame = (index: number, parent: number, from: Address, to: Address): Call => ({
    ...{ index, parent, depth: 0, kind: "call", from, to, value: 0n, input: "0x", ok: true },
  });
  const tree = (...calls: Call[]): World => ({
    moves: [move(usdc, alice, bob, 10n, { call: calls.length - 1 })],
    tx: { traced: true, calls },
    calls: elsewhere,
  });

  it.each<[string, World, unknown[]]>([
    ["it called the token", tree(frame(0, -1, alice, vault), frame(1, 0, vault, usdc)), sent],
    [
      "it called the token, which called itself",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, usdc), frame(2, 1, usdc, usdc)),
      sent,
    ],
    [
      "the token called another contract for it",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, usdc), frame(2, 1, usdc, carol)),
      sent,
    ],
    [
      "somebody else called the token",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, carol), frame(2, 1, carol, usdc)),
      lost(bob),
    ],
    [
      "an agent called the token for it",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, agent), frame(2, 1, agent, usdc)),
      sent,
    ],
    [
      "an agent called the token for somebody else",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, carol), frame(2, 1, carol, agent), frame(3, 2, agent, usdc)),
      lost(bob),
    ],
    ["the account called the token", tree(frame(0, -1, alice, usdc)), lost(bob)],
    [
      "a frame around it does not belong to the caller",
      tree(frame(0, -1, alice, vault), frame(1, 0, vault, carol), frame(2, 1, agent, usdc)),
      lost(bob),
    ],
  ])("by the call tree: %s", (_, world, expected) => expect(reached(world)).toEqual(expected));
});

describe("ether behind the called contract", () => {
  const unseen = { nativeComplete: false };
  it.each<[string, World, FitParts, unknown[]]>([
    ["is sent where it is not seen", { moves: [paid(bob, null)], tx: unseen, calls: elsewhere }, {}, [10, [], "sent"]],
    ["reached an admitted contract", { moves: [paid(vault, null)], tx: unseen }, {}, all],
    [
      "is seen where it went on",
      { moves: [paid(bob, null), move(null, bob, carol, 10n)], tx: unseen, calls: elsewhere },
      {},
      lost(carol),
    ],
    ["is seen where it is no ether", { moves: [paid(bob)], tx: unseen, calls: elsewhere }, {}, lost(bob)],
    [
      "is seen where it is not the subject's",
      { moves: [paid(bob, null)], tx: unseen, calls: elsewhere },
      { context: { subject: carol } },
      lost(bob),
    ],
  ])("%s", (_, world, parts, expected) => expect(reached(world, parts)).toEqual(expected));
});
