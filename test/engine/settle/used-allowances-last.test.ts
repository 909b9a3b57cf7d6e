import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../src/engine/match/candidate.ts";
import { usedAllowancesLast } from "../../../src/engine/settle/settle.ts";
import { approvalTopic } from "../../../src/kernel/token-standards.ts";
import { callOf, type FitParts, logAt } from "../../support/candidate.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { candidate, ids, wordOf } from "./order-case.ts";

describe("an allowance", () => {
  const allowance = (spender = vault, more: FitParts["context"] = {}) =>
    candidate("allow", {
      tier: "approval",
      context: {
        log: logAt(usdc, [approvalTopic, wordOf(alice), wordOf(spender)]),
        call: callOf({ to: usdc }),
        ...more,
      },
    });
  const transfer = (more: FitParts["context"] = {}, fits: FitParts["fit"] = {}) =>
    candidate("send", {
      tier: "transfer",
      context: { call: callOf({ to: vault }), ...more },
      fit: { movements: [1, 0], ...fits },
    });
  const order = (...list: Candidate[]) => ids(usedAllowancesLast(list));

  it("comes after the transfer that used it", () => {
    expect(order(allowance(), transfer(), candidate("x"))).toEqual(["send", "x", "allow"]);
    expect(order(allowance(), transfer({ call: null, target: vault }))).toEqual(["send", "allow"]);
  });

  it.each<[string, Candidate, Candidate]>([
    ["for somebody else", allowance(carol), transfer()],
    [
      "whose log is not its token's",
      allowance(vault, { log: logAt(token, [approvalTopic, wordOf(alice), wordOf(vault)]) }),
      transfer(),
    ],
    ["without a log", allowance(vault, { log: null }), transfer()],
    ["of a token that was not sent", allowance(), transfer({}, { movements: [1, 3] })],
    ["of a token that came", allowance(), transfer({ subject: bob }, { movements: [0] })],
    ["and a call of the token itself", allowance(usdc), transfer({ call: callOf({ to: usdc }) })],
    ["and a transfer to nobody", allowance(), transfer({ call: null })],
    ["and nothing sent", allowance(), transfer({}, { movements: [] })],
  ])("%s stays where it is", (_, first, second) => expect(order(first, second)).toEqual(["allow", "send"]));

  it("keeps its place if nothing was transferred, and so do other acts", () => {
    const list = [allowance(), candidate("x")];
    expect(usedAllowancesLast(list)).toBe(list);
    const other = [candidate("x", { context: allowance().context }), transfer()];
    expect(usedAllowancesLast(other)).toBe(other);
  });
});
