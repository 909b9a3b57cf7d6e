import { describe, expect, it } from "vitest";
import { findVictims } from "../../../src/engine/assess/poisoning.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import {
  actOf,
  alice,
  answers,
  caseOf,
  explain,
  findings,
  history,
  router,
  type Scene,
  someone,
  transfer,
  usdc,
} from "./scene.ts";

const bob = someone("bob");
const victim = someone("victim");
/** Four hex digits of bob's at each end. */
const twin = toAddress(`${bob.slice(0, 6)}${"5".repeat(32)}${bob.slice(-4)}`);
const nearTwin = toAddress(`${bob.slice(0, 5)}${"5".repeat(32)}${bob.slice(-5)}`);
const poison = (to: Address, from = victim): Scene => ({
  logs: [transfer(usdc, from, to, 0n)],
  risk: answers({ history: { [alice]: history({}), [victim]: history({ counterparties: [bob] }) } }),
});

describe("address poisoning is told", () => {
  it("when a third party records a transfer of nothing to a look-alike of somebody the victim knows", () => {
    const scene = poison(twin);
    expect(findings(scene).map(({ basis }) => basis)).toContain("zero_value_transfer_from lookalike_of_known");
    expect(explain(scene).summary).toContain("A third party recorded transfers of nothing in the name of ");
    expect(explain(scene).summary).toContain(", which sent nothing.");
  });

  it("when one transaction records them in the names of ten accounts or more", () => {
    const logs = Array.from({ length: 10 }, (_, i) => transfer(usdc, someone(`victim ${i}`), someone(`x ${i}`), 0n));
    expect(findings({ logs }).map(({ basis }) => basis)).toEqual(["zero_value_transfer_from fan_out"]);
    expect(explain({ logs }).summary).toContain("in the names of 10 other accounts, which sent nothing.");
  });

  it("when dust comes from a look-alike", () => {
    const scene: Scene = {
      ...{ from: twin, to: victim, input: "0x", value: 1n },
      risk: answers({ history: { [victim]: history({ counterparties: [bob] }) } }),
    };
    expect(findings(scene).map(({ basis }) => basis)).toContain("dust_from_lookalike lookalike_of_known");
    expect(explain(scene).summary).toContain("looks like an address that the receiver dealt with before.");
  });
});

describe("a fake token's twin of a payment", () => {
  const fake = someone("fake");
  const blockTime = 0x6553f100 * 1000;
  const scene = (minutes: number, amount: string, to = twin, symbol = "USDC"): Scene => {
    const payments = [{ amount, time: new Date(blockTime - minutes * 60_000).toISOString() }];
    return {
      logs: [transfer(fake, victim, to, 1_250_000n)],
      tokens: { [fake]: { symbol, decimals: 6 } },
      risk: answers({ history: { [alice]: history({}), [victim]: history({ counterparties: [bob], payments }) } }),
    };
  };

  it("is told when it goes to a look-alike ten minutes after the payment", () => {
    expect(findings(scene(10, "1.25")).map(({ basis }) => basis)).toContain("fake_token_twin lookalike_of_known");
    expect(explain(scene(10, "1.25")).summary).toContain("recorded a transfer of an imitated token");
  });

  it.each([
    ["the amount is another", scene(10, "1.26")],
    ["the payment is older than a day", scene(1_441, "1.25")],
    ["the payment came later", scene(-1, "1.25")],
    ["the receiver looks like nobody", scene(10, "1.25", someone("anyone"))],
    ["the token imitates nothing", scene(10, "1.25", twin, "DOGGO")],
  ])("is not told when %s", (_name, other) => {
    expect(findings(other).filter(({ basis }) => basis.includes("twin"))).toEqual([]);
  });

  it("is not told where the subject itself sent or got something", () => {
    const told = scene(10, "1.25");
    for (const own of [transfer(usdc, alice, bob, 5n), transfer(usdc, bob, alice, 5n)]) {
      const logs = [...(told.logs ?? []), own];
      expect(findings({ ...told, logs }).filter(({ basis }) => basis.includes("twin"))).toEqual([]);
    }
    const others = [...(told.logs ?? []), transfer(usdc, bob, router, 5n)];
    expect(findings({ ...told, logs: others }).map(({ basis }) => basis)).toContain(
      "fake_token_twin lookalike_of_known",
    );
  });

  it("has its victim looked up", () => {
    const file = caseOf(scene(10, "1.25"));
    const act = actOf(file);
    expect(findVictims(act)).toEqual([victim]);
  });
});

describe("address poisoning is not told", () => {
  it.each([
    ["of transfers of nothing alone", poison(someone("anyone"))],
    ["of nine accounts", { logs: Array.from({ length: 9 }, (_, i) => transfer(usdc, someone(`v${i}`), bob, 0n)) }],
    ["of a likeness of three and five digits", poison(nearTwin)],
    ["of the sender's own transfer of nothing", poison(twin, alice)],
    ["without the victim's history", { logs: poison(twin).logs ?? [], risk: answers({}) }],
  ])("%s", (_name, scene) => {
    expect(findings(scene).filter(({ basis }) => /zero_value|dust/.test(basis))).toEqual([]);
    expect(explain(scene).summary).not.toContain("third party");
  });

  it("of what a contract moves of its own in a swap", () => {
    const frames = [{ type: "CALL", from: victim, to: usdc, input: "0x23b872dd", calls: [] }];
    expect(findings({ ...poison(twin), frames }).filter(({ basis }) => /zero_value/.test(basis))).toEqual([]);
  });

  it("of real payments", () => {
    expect(
      findings({ ...poison(twin), logs: [transfer(usdc, victim, twin, 1n)] }).filter(({ basis }) => /zero/.test(basis)),
    ).toEqual([]);
  });
});

it("asks for the history of one victim", () => {
  const file = caseOf(poison(twin));
  const act = actOf(file);
  expect(findVictims(act)).toEqual([victim]);
  expect(router).not.toBe(victim);
});
