import { encodePacked, type Hex } from "viem";
import { describe, expect, it } from "vitest";
import { bob, carol, caseOf, token, vault } from "../../support/case-of.ts";
import { execTransaction, executionSuccess, multiSend, multiSendAddress, record } from "../../support/envelopes.ts";
import { decideBy } from "../../support/own-rules.ts";
import { inner, ruleset, unwrapped } from "./shipped-wrappers.ts";

describe("Safe", () => {
  const done = { receipt: { logs: [executionSuccess(vault)] } };

  it("acts for itself, as its event confirms", () => {
    const found = unwrapped(vault, execTransaction(carol, 0n, "0xabcdef01"), done);
    expect(found).toMatchObject({ subject: vault });
    expect(found.calls[1]).toMatchObject({ from: vault, to: carol, actor: vault, delegate: false, state: "asserted" });
  });

  it("did nothing without its event, or with one of a stranger", () => {
    expect(inner(vault, execTransaction(carol, 0n, "0xabcdef01"))).toEqual(["vault → carol 0xabcdef01 failed"]);
    const forged = { receipt: { logs: [{ ...executionSuccess(vault), address: bob }] } };
    expect(inner(vault, execTransaction(carol, 0n, "0xabcdef01"), forged)).toEqual(["vault → carol 0xabcdef01 failed"]);
  });

  it("takes a MultiSend apart, record by record, with values and delegate calls", () => {
    const data = multiSend(record(carol, 5n, "0x"), record(bob, 0n, "0xabcdef01", 1), record(token, 0n, "0x01"));
    const { calls } = unwrapped(vault, execTransaction(multiSendAddress, 0n, data, 1), done);
    expect(calls[1]).toMatchObject({ delegate: true });
    expect(calls.slice(2).map(({ from, to, value, input, delegate }) => [from, to, value, input, delegate])).toEqual([
      [vault, carol, 5n, "0x", false],
      [vault, bob, 0n, "0xabcdef01", true],
      [vault, token, 0n, "0x01", false],
    ]);
  });

  const whole = record(carol, 5n, "0xabcdef01");
  it.each<[string, Hex]>([
    ["is cut short", multiSend(whole, whole.slice(0, -2) as Hex)],
    ["has bytes after the last record", multiSend(whole, "0x00")],
    [
      "says a length beyond its end",
      multiSend(record(carol, 5n, "0x"), encodePacked(["uint8", "address", "uint256", "uint256"], [0, carol, 0n, 1n])),
    ],
    [
      "says an absurd length",
      multiSend(encodePacked(["uint8", "address", "uint256", "uint256"], [0, carol, 0n, 2n ** 255n])),
    ],
    ["hides a record behind the end of its argument", `${multiSend(whole)}${whole.slice(2)}`],
  ])("leaves a MultiSend opaque that %s, and the answer partial", (_what, data) => {
    const { calls } = unwrapped(vault, execTransaction(multiSendAddress, 0n, data, 1), done);
    expect(calls.map(({ state }) => state)).toEqual(["executed", "opaque"]);
    const file = caseOf({ ...done, transaction: { to: vault, input: execTransaction(multiSendAddress, 0n, data, 1) } });
    const { explanation, evidence } = decideBy(ruleset, file);
    expect(explanation.partial).toBe(true);
    expect(evidence().partial).toContain("Some nested calls could not be read.");
  });

  it("takes a MultiSend of nothing for nothing, and one elsewhere for no MultiSend", () => {
    expect(inner(vault, execTransaction(multiSendAddress, 0n, multiSend(), 1), done)).toHaveLength(1);
    expect(inner(vault, execTransaction(carol, 0n, multiSend(whole), 1), done)).toHaveLength(1);
  });
});
