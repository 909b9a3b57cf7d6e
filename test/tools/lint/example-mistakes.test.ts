import { describe, expect, it } from "vitest";
import { markedText } from "./lint-text.ts";
import { run } from "./market-examples.ts";

describe("what cannot be built is told at its token", () => {
  it.each([
    ["given: { too: pool }", "too", "to"],
    ["given: { to: poool }", "poool", "pool"],
    ["given: { from: alcie }", "alcie", "alice"],
    ["given: { to: pool.2 }", "pool.2", "pool"],
    ["given: { to: pool, call: { pya: {} } }", "pya", "pay"],
    ["given: { to: pool, call: { pay: { amuont: 1 } } }", "amuont", "amount"],
    ["given: { to: pool, call: { pay: { amount: lots } } }", "lots", undefined],
    ["given: { to: pool, call: { pay: { amount: -1 } } }", "-1", undefined],
    ["given: { to: pool, call: { pay: { extra: { last: 1 } } } }", "1", undefined],
    ["given: { to: pool, call: { pay: { extra: { key: '0x12' } } } }", "'0x12'", undefined],
    ["given: { to: pool, call: { pay: { parts: 1 } } }", "1", undefined],
    ["given: { to: pool, call: { pay: [alice] } }", "[alice]", undefined],
    ["given: { to: pool, call: { run: { data: '0x1' } } }", "'0x1'", undefined],
    ["given: { to: pool, data: xyz }", "xyz", undefined],
    ["given: { logs: [{ Piad: { at: pool } }] }", "Piad", "Paid"],
    ["given: { logs: [{ Paid: { user: alice } }] }", "Paid", undefined],
    ["given: { logs: [{ Paid: { at: pool, usr: alice } }] }", "usr", "user"],
    ["given: { logs: [{ Paid: { at: pool }, transfer: {} }] }", "{ Paid: { at: pool }, transfer: {} }", undefined],
    ["given: { logs: [{ transfer: { tokn: USDC } }] }", "tokn", "token"],
    ["given: { logs: [{ transfer: { token: USCD, from: bob, to: bob, amount: 1 } }] }", "USCD", undefined],
    ["given: { logs: 3 }", "3", undefined],
    ["given: { native: [{ from: bob, to: bob, amount: x }] }", "x", undefined],
    ["given: { authorizations: [{ delegate: bob, signed: maybe }] }", "maybe", undefined],
    ["given: { status: revertd }", "revertd", "reverted"],
    ["given: { type: eip7703 }", "eip7703", "eip7702"],
    ["given: { value: '1.5' }", "'1.5'", undefined],
    ["like: nothng", "nothng", "nothing"],
    ["like: odd", "odd", undefined],
    ["{ like: nothing, untrusted: [pol] }", "pol", "pool"],
    [`tx: "0x${"7".repeat(64)}"`, `"0x${"7".repeat(64)}"`, undefined],
  ])("%s", (field, marked, suggest) => {
    const entry = field.startsWith("{")
      ? `  - ${field.replace("{", "{ name: odd, not: paid,")}\n`
      : `  - name: odd\n    ${field}\n    not: paid\n`;
    const { text, found } = run(
      `${entry}  - name: fine\n    given: { to: pool, logs: [{ Paid: { at: pool, user: alice } }] }\n    rule: paid\n`,
    );
    expect(found.map((one) => [one.code, markedText(text, one), one.suggest])).toEqual([["RL604", marked, suggest]]);
  });

  it("an unknown rule, and an example that says nothing", () => {
    const { text, found } = run(`  - name: fine
    given: { to: pool, logs: [{ Paid: { at: pool, user: alice } }] }
    rule: paid
  - name: odd
    given: { to: pool }
    not: piad
  - name: empty
    not: paid
`);
    expect(found.map((one) => [one.code, markedText(text, one), one.suggest])).toEqual([
      ["RL604", "piad", "paid"],
      ["RL604", "name: empty", undefined],
    ]);
  });
});
