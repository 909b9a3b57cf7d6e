import { describe, expect, it } from "vitest";
import { provenPrincipals } from "../../../src/engine/unwrap/unwrap.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { txOf } from "./made-transaction.ts";

describe("whose authority was used", () => {
  const accounts = { code: new Set([usdc]), acts: new Set(["0xac7"]) };
  const of = (parts: object, named: Address[] = []) =>
    [
      ...provenPrincipals({
        tx: txOf({ authorizations: [], ...parts }),
        subject: bob,
        ruleset: { signers: [], accounts } as never,
        gates: {} as never,
        named,
      }),
    ].slice(2);
  const proxy = { kind: "call", ok: true, from: alice, to: vault, input: "0x12", parent: -1 };
  const inner = { ...proxy, kind: "delegatecall", from: vault, to: usdc, parent: 0 };

  it("is the sender's, the subject's, and that of signers and named accounts", () => {
    expect([
      ...provenPrincipals({
        tx: txOf({ authorizations: [] }),
        subject: bob,
        ruleset: { signers: [], accounts } as never,
        gates: {} as never,
        named: [],
      }),
    ]).toEqual([alice, bob]);
    expect(of({ authorizations: [{ authority: undefined }, { authority: carol }] }, [vault])).toEqual([carol, vault]);
  });

  it("is that of accounts whose proxy hands a call on to known code", () => {
    expect(of({ traced: true, calls: [proxy, inner] })).toEqual([vault]);
    expect(of({ calls: [proxy, inner] })).toEqual([]);
    for (const change of [
      { kind: "call" },
      { ok: false },
      { to: token },
      { to: null },
      { from: carol },
      { input: "0x13" },
    ])
      expect(of({ traced: true, calls: [proxy, { ...inner, ...change }] })).toEqual([]);
  });

  it("is that of every account that writes the events of known accounts", () => {
    const logs = [
      { address: vault, topics: ["0xac7"] },
      { address: carol, topics: ["0x07e5"] },
      { address: token, topics: [] },
    ];
    expect(of({ logs })).toEqual([vault]);
    expect(of({ traced: true, calls: [proxy], logs })).toEqual([vault]);
    expect(of({ traced: true, calls: [proxy, inner], logs })).toEqual([vault]);
  });
});
