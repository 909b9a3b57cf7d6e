import { describe, expect, it } from "vitest";
import { messageCase } from "../../src/engine/messages/message-case.ts";
import { signedAct } from "../../src/engine/messages/signed-act.ts";
import type { Address } from "../../src/kernel/address.ts";
import { unlimitedThreshold } from "../../src/kernel/amount.ts";
import type { Transaction } from "../../src/model/transaction.ts";
import { alice, bob, carol, token, usdc, vault } from "../support/case-of.ts";

const file = messageCase({ from: alice }, { from: alice, to: vault });
const tx = { status: "success", movements: [] } as unknown as Transaction;
const event = { contracts: new Set([vault]), amount: 3 };
const ruleset = {
  grants: {
    events: new Map([
      ["lockdown", [{ contracts: new Set([vault, carol]), amount: null }]],
      ["permit", [{ contracts: new Set([usdc]), amount: 1 }, event]],
    ]),
  },
};
const labels = { name: () => undefined };
const right = { token, spender: bob, amount: 5n, endless: false, until: 7n, id: null };
const grant = {
  ...{ owner: alice, kind: "erc20", manager: null, token, grantee: bob, amount: 5n, expiration: 7n },
};

function actOf({ contract = null, ...parts }: { contract?: Address | null; matched?: object; carried?: object }) {
  const domain = { verifyingContract: contract };
  const given = {
    account: alice,
    named: [],
    file,
    tx,
    matched: undefined,
    carried: null,
    domain,
    ruleset,
    labels,
    ...parts,
  };
  return signedAct(given as never);
}
const matched = (parts: object) => ({
  rights: [],
  recipients: [],
  diverted: { to: [] },
  powers: [],
  call: null,
  ...parts,
});

describe("what a message gives", () => {
  it("is nothing where no rule knows it", () => {
    const act = actOf({});
    expect(act).toMatchObject({
      file,
      subject: alice,
      principals: new Set([alice]),
      calls: [],
      named: [],
      controllers: [],
    });
    expect(act.tx).toBe(tx);
    expect(act.file).toBe(file);
    expect(act.isProven(alice)).toBe(false);
    expect(act.signed).toEqual({ grants: [], recipients: [], powers: [], verifier: null });
  });

  it.each<[string, object, Address | null, object]>([
    ["an amount", {}, null, {}],
    ["an amount, checked by the token", {}, token, {}],
    ["an amount, checked by who only takes rights back", {}, carol, {}],
    ["an amount that a contract keeps", {}, vault, { kind: "managed", manager: event }],
    ["all of a token", { endless: true }, null, { amount: unlimitedThreshold }],
    ["all that a contract keeps", { endless: true }, vault, { kind: "managed", manager: event }],
    ["all NFTs", { amount: null }, null, { kind: "operator", amount: null }],
    ["all NFTs at a contract", { amount: null }, vault, { kind: "operator", amount: null, manager: event }],
    ["one NFT", { amount: null, id: 0n }, null, { kind: "nft", amount: null }],
    ["a right without end", { until: null }, null, { expiration: null }],
  ])("is %s", (_what, parts, contract, expected) => {
    const act = actOf({ contract, matched: matched({ rights: [{ ...right, ...parts }] }) });
    expect(act.signed?.grants).toEqual([{ ...grant, ...expected }]);
  });

  it("is who gets something and who gets power, and who checks it unless that is the signer", () => {
    const signed = (contract: Address) =>
      actOf({ contract, matched: matched({ recipients: [bob], powers: [carol] }) }).signed;
    expect(signed(vault)).toEqual({ grants: [], recipients: [bob], powers: [carol], verifier: vault });
    expect(signed(alice)?.verifier).toBeNull();
  });
});

describe("what a message with a call in it gives", () => {
  const inner = { ...tx, status: "reverted" };
  const calls = [
    { id: 0, state: "opaque" },
    { id: 1, state: "done" },
  ];
  const carried = (rights: object[]) => ({ rights, decoded: { unwrapped: { tx: inner, calls } } });
  const held = { ...right, owner: carol, manager: null };

  it("is judged as the account that would make the call", () => {
    const act = actOf({ carried: carried([]), matched: matched({ call: { from: bob } }) });
    expect([act.subject, act.principals]).toEqual([bob, new Set([bob, alice])]);
    expect(act.file).toEqual({ ...file, transaction: { ...file.transaction, from: bob } });
    // Nothing ran, so nothing failed.
    expect(act.tx).toEqual({ ...inner, status: "success" });
    expect(act.calls).toEqual(calls.map((call) => ({ ...call, state: "asserted" })));
    expect(actOf({ carried: carried([]), matched: matched({ call: { from: alice } }) }).principals).toEqual(
      new Set([alice]),
    );
  });

  it("is what the message allows and then what the call allows, each by its owner", () => {
    const rights = [held, { ...held, manager: event }, { ...held, endless: true }];
    const act = actOf({ carried: carried(rights), matched: matched({ rights: [right] }) });
    const own = { ...grant, owner: carol };
    expect(act.signed?.grants).toEqual([
      ...[grant, own, { ...own, kind: "managed", manager: event }, { ...own, amount: unlimitedThreshold }],
    ]);
  });
});
