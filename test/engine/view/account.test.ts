import { describe, expect, it } from "vitest";
import { type Address, checksum } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { alice, bob, carol, token, usdc, vault } from "../../support/case-of.ts";
import { grant, move, type Parts, teller, viewOf } from "./viewed-account.ts";

describe("the view of an account", () => {
  it("is the answer for the subject", () => {
    expect(viewOf(alice)).toEqual({
      ...{ tx_hash: "0x1", account: checksum(alice), role: "sender", summary: "Told.", action_type: "swap" },
      ...{ status: "success", balance_changes: [], grants: [], risk_flags: [], checks: {}, paid_gas_usd: 3 },
      ...{ timestamp: null, block_number: 7, explorer_url: "u", partial: false },
      provenance: { untrusted_fields: ["summary"], note: "n" },
    });
    expect(
      viewOf(alice, { explanation: { provenance: { untrusted_fields: [], note: "n" } } }).provenance.untrusted_fields,
    ).toEqual([]);
  });

  const [me, five] = [teller.short(bob), move(alice, bob, 5_000_000n, usdc)];
  const back = move(bob, alice, 10n ** 18n, null);
  it.each<[string, Parts, string]>([
    ["nothing", {}, teller.say("view.unmoved", { account: me }).text],
    ["what it got", { movements: [five] }, `${me} received 5 USDC from alice.`],
    ["what it gave", { movements: [back] }, `${me} gave 1 ETH to alice.`],
    ["both", { movements: [five, back] }, `${me} gave 1 ETH and got 5 USDC.`],
    ["a failure", { movements: [five], tx: { status: "reverted" } }, teller.say("view.reverted", { account: me }).text],
    [
      "a right",
      { movements: [five], grants: [grant()] },
      `${me} received 5 USDC from alice. It also allowed carol to spend 1.5 USDC.`,
    ],
  ])("of another account tells %s", (_case, parts, summary) => {
    expect(viewOf(bob, parts).summary).toBe(summary);
  });

  it.each<[string, Address, Parts, string]>([
    ["the sender, who may be the subject", alice, {}, "sender"],
    ["the subject", bob, { subject: bob }, "subject"],
    ["who got something", bob, { movements: [five] }, "counterparty"],
    ["what was called", vault, {}, "counterparty"],
    ["who got and gave as much", bob, { movements: [five, move(bob, alice, 5_000_000n, usdc)] }, "counterparty"],
    ["who was called from", bob, { calls: [{ from: bob, to: carol, actor: carol }] }, "counterparty"],
    ["who was called", bob, { calls: [{ from: carol, to: bob, actor: carol }] }, "counterparty"],
    ["who acted", bob, { calls: [{ from: carol, to: carol, actor: bob }] }, "counterparty"],
    ["who wrote a log", bob, { tx: { logs: [{ address: bob, topics: [] }] } }, "counterparty"],
    [
      "who is named in a log",
      bob,
      { tx: { logs: [{ address: carol, topics: ["0x1", bob.replace("0x", `0x${"0".repeat(24)}`)] }] } },
      "counterparty",
    ],
    [
      "nobody",
      bob,
      { tx: { logs: [{ address: carol, topics: ["0x1"] }] }, calls: [{ from: carol, to: carol, actor: carol }] },
      "bystander",
    ],
  ])("has the role of %s", (_case, account, parts, role) => {
    expect(viewOf(account, parts).role).toBe(role);
  });

  it("has each change with its worth and the source of the price", () => {
    const nft = { standard: "erc1155" as const, tokenId: 9n };
    const movements = [five, back, move(alice, bob, 150n, token), move(alice, bob, 2n, token, nft)];
    const prices = { [usdc]: { source: "prices.example", usd: "1.5" }, [token]: { source: "odd.example", usd: null } };
    const change = (of: Address | null, name: string, delta: string, more: object = {}) => ({
      ...{ token: name, token_address: of === null ? null : checksum(of), delta, usd: null, price_source: null },
      ...{ standard: "erc20", balance_check: "not_checked", ...more },
    });
    const told = viewOf(bob, { movements, file: { view: { account: bob, prices, balances: [] } } });
    expect(told.balance_changes).toEqual([
      change(usdc, "USDC", "5", { usd: 7.5, price_source: "prices.example" }),
      change(null, "ETH", "-1", { usd: -2, price_source: "ether.example", standard: "native" }),
      change(token, "ODD", "1.5"),
      change(token, "ODD", "2", { standard: "erc1155", token_id: "9" }),
    ]);
    expect(told.provenance.untrusted_fields).toEqual([
      "summary",
      "balance_changes[2].token",
      "balance_changes[3].token",
    ]);
    expect([told.paid_gas_usd, told.partial]).toEqual([0, false]);
  });

  it.each<[string, string | null, string | null, string]>([
    ["as much", "1", "5000001", "equal"],
    ["more", "1", "5000002", "differs"],
    ["nothing known before", null, "5", "not_checked"],
    ["nothing known after", "5", null, "not_checked"],
  ])("compares balances: %s", (_case, before, after, check) => {
    const balances = [{ token: usdc, before, after }];
    const told = (account: Address) =>
      viewOf(bob, { movements: [five], file: { view: { account, prices: {}, balances } } });
    expect(told(bob).balance_changes.map(({ balance_check }) => balance_check)).toEqual([check]);
    expect(told(carol).balance_changes.map(({ balance_check }) => balance_check)).toEqual(["not_checked"]);
  });

  it("takes the gas of the sender off its ether, where it is known", () => {
    const check = (account: Address, after: string, feeWei: bigint | null = 5n) => {
      const balances = [{ token: null, before: "100", after }];
      const movements = [move(account, carol, 10n, null)];
      const told = viewOf(account, { movements, tx: { feeWei }, file: { view: { account, prices: {}, balances } } });
      return told.balance_changes[0]?.balance_check;
    };
    expect([
      check(alice, "85"),
      check(alice, "90"),
      check(alice, "85", null),
      check(bob, "90"),
      check(bob, "85"),
    ]).toEqual([...["equal", "differs", "not_checked", "equal", "differs"]]);
  });

  it("tells of what came and went only where the balances differ", () => {
    const movements = [five, move(bob, alice, 5_000_000n, usdc)];
    const told = (after: string) =>
      viewOf(bob, {
        movements,
        file: { view: { account: bob, prices: {}, balances: [{ token: usdc, before: "1", after }] } },
      });
    expect(told("1").balance_changes).toEqual([]);
    expect(told("2").balance_changes).toMatchObject([{ delta: "0", balance_check: "differs" }]);
  });

  it.each<[object, object | null]>([
    [{}, { token: "USDC", amount: "1.5", unlimited: false }],
    [{ amount: 7n }, { amount: "0.000007", unlimited: true }],
    [{ amount: 2n ** 160n - 1n }, { unlimited: true }],
    [{ amount: 2n ** 160n - 2n }, { unlimited: false }],
    [
      { amount: null, kind: "operator" },
      { amount: null, unlimited: true },
    ],
    [
      { amount: null, kind: "nft" },
      { amount: null, unlimited: false },
    ],
    [{ owner: alice }, null],
    [{ stands: false }, null],
    [{ uncertain: true }, null],
  ])("lists the rights that it gave: %#", (given, expected) => {
    const { grants } = viewOf(bob, { grants: [grant(given)] });
    expect(grants).toEqual(
      expected === null ? [] : [expect.objectContaining({ spender: checksum(carol), ...expected })],
    );
  });

  it("marks a right over a stranger's token, tells two of several, and is partial where something is missing", () => {
    const many = [grant({ token }), grant(), grant({ grantee: alice })];
    const told = viewOf(bob, { grants: many });
    expect(told.provenance.untrusted_fields).toEqual(["summary", "grants[0].token"]);
    expect(told.summary.match(/allowed/g)).toHaveLength(2);
    expect([
      viewOf(bob, { tx: { nativeComplete: false } }).partial,
      viewOf(bob, { explanation: { partial: true } }).partial,
    ]).toEqual([true, true]);
    const count = limits.assetsMax + 1;
    const nfts = Array.from({ length: count }, (_, i) =>
      move(alice, bob, 1n, token, { standard: "erc721", tokenId: BigInt(i) }),
    );
    const cut = viewOf(bob, { movements: nfts });
    expect([cut.balance_changes.length, cut.partial]).toEqual([limits.assetsMax, true]);
    expect(viewOf(bob, { movements: nfts.slice(1) }).partial).toBe(false);
  });
});
