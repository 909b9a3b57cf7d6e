import { describe, expect, it } from "vitest";
import { isOwnTransfer } from "../../../src/engine/settle/reached-money.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { transferCall, transferFromCall } from "../../../src/kernel/token-standards.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Call, Movement, Transaction } from "../../../src/model/transaction.ts";
import { callOf, candidateOf, type FitParts } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc } from "../../support/case-of.ts";
import { moved } from "../../support/movements.ts";
import { callRule, paid, reached } from "./reached-case.ts";

describe("an account's own call of a token", () => {
  const own = (parts: FitParts = {}) => ({
    tier: "transfer" as const,
    place: 1,
    ...parts,
    rule: { ...callRule, ...parts.rule },
    context: { call: callOf({ to: usdc }), ...parts.context },
  });
  const tellsOwn = (calls: ActorCall[], of = paid(bob), tx: Partial<Transaction> = {}) =>
    reached({ moves: [of], calls, tx }, own())[2];

  it("counts for a transfer rule without a proven place, by a real call, for the account itself", () => {
    const is = (parts: FitParts) => isOwnTransfer(candidateOf("act", moved([]), own(parts)));
    expect(is({})).toBe(true);
    expect(is({ place: 2 })).toBe(false);
    expect(is({ tier: "act" })).toBe(false);
    expect(is({ rule: { anchor: { kind: "event" } as never } })).toBe(false);
    expect(is({ rule: { actsFor: (() => bob) as never } })).toBe(false);
    expect(is({ context: { call: callOf({ step: "X" }) } })).toBe(false);
    expect(is({ context: { call: null } })).toBe(false);
  });

  it("tells only what that call moved", () => {
    const call = (input: string, to: Address = usdc) => callOf({ to, input: input as never });
    expect(tellsOwn([call(`${transferCall(bob)}0`)])).toBe("sent");
    expect(tellsOwn([call("0x12"), call(`${transferCall(bob)}0`)])).toBe("sent");
    expect(tellsOwn([call(`${transferFromCall(alice, bob)}0`)])).toBe("sent");
    expect(tellsOwn([call(`${transferCall(carol)}0`)])).toBeNull();
    expect(tellsOwn([call(`${transferCall(bob)}0`, token)])).toBeNull();
    expect(tellsOwn([call("0x12")], { ...paid(bob), tokenId: 1n, standard: "erc721" })).toBe("sent");
    const calls = (from: Address): Call[] => [
      { index: 0, parent: -1, depth: 0, kind: "call", from, to: usdc, value: 0n, input: "0x", ok: true },
    ];
    expect(tellsOwn([], { ...paid(bob), call: 0 }, { traced: true, calls: calls(alice) })).toBe("sent");
    expect(tellsOwn([], { ...paid(bob), call: 0 }, { traced: true, calls: calls(carol) })).toBeNull();
    const ether = (from: Address, basis: Movement["basis"]) =>
      tellsOwn([], { ...paid(bob, null), call: 0, basis }, { calls: calls(from) });
    expect([ether(alice, "trace"), ether(carol, "trace"), ether(carol, "transaction")]).toEqual(["sent", null, "sent"]);
  });
});
