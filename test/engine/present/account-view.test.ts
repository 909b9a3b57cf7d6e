import { describe, expect, it } from "vitest";
import { checksum, toAddress } from "../../../src/kernel/address.ts";
import { unlimitedThreshold } from "../../../src/kernel/amount.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { alice, bob, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { type Parts, view } from "./account-view-case.ts";
import { move, numbered, odd, teller } from "./named-world.ts";

const grant = (more: object = {}) => ({
  ...{ owner: bob, grantee: carol, token: usdc, amount: 5_000_000n, kind: "erc20", stands: true, uncertain: false },
  ...more,
});
const who = teller.short(bob);

describe("the view of an account", () => {
  it("has the facts of the answer, and its own", () => {
    expect(view()).toEqual({
      ...{ tx_hash: "0xh", account: checksum(bob), role: "bystander" },
      summary: teller.say("view.unmoved", { account: who }).text,
      ...{ action_type: "swap", status: "success", balance_changes: [], grants: [], risk_flags: ["f"] },
      ...{ checks: { note: "c" }, paid_gas_usd: 0, timestamp: "t", block_number: 7, explorer_url: "u" },
      ...{ partial: false, provenance: { untrusted_fields: [], note: "n" } },
    });
  });

  it("is the answer itself if that is about the account", () => {
    const untrusted = { provenance: { untrusted_fields: ["summary"], note: "n" } };
    const own = view({ explanation: untrusted }, alice);
    expect([own.summary, own.role, own.paid_gas_usd]).toEqual(["All of it.", "sender", 0.5]);
    expect(own.provenance.untrusted_fields).toEqual(["summary"]);
    expect(view({}, alice).provenance.untrusted_fields).toEqual([]);
  });

  it("is partial if the answer is, or if not everything was seen or shown", () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => move(alice, bob, 1n, numbered(i)));
    const partial = (parts: Parts) => view(parts).partial;
    expect(partial({ explanation: { partial: true } })).toBe(true);
    expect(partial({ tx: { nativeComplete: false } })).toBe(true);
    expect(partial({ movements: many(limits.assetsMax) })).toBe(false);
    const more = view({ movements: many(limits.assetsMax + 1) });
    expect([more.partial, more.balance_changes.length]).toEqual([true, limits.assetsMax]);
  });

  it.each<[string, Parts]>([
    ["subject", { subject: bob }],
    ["sender", { tx: { from: bob } }],
    ["counterparty", { tx: { to: bob } }],
    ["counterparty", { movements: [move(bob, alice, 1n)] }],
    ["counterparty", { movements: [move(alice, bob, 0n)] }],
    ["counterparty", { movements: [move(bob, alice, 0n)] }],
    ["counterparty", { calls: [{ from: bob, to: alice, actor: alice }] }],
    ["counterparty", { calls: [{ from: alice, to: bob, actor: alice }] }],
    ["counterparty", { calls: [{ from: alice, to: null, actor: bob }] }],
    ["bystander", { calls: [{ from: alice, to: null, actor: carol }], movements: [move(alice, carol, 1n)] }],
    ["counterparty", { tx: { logs: [{ address: bob, topics: [] }] } }],
    ["bystander", { tx: { logs: [{ address: vault, topics: [`0x${"0".repeat(24)}0${bob.slice(3)}`] }] } }],
    ["counterparty", { tx: { logs: [{ address: usdc, topics: ["0x1", `0x${"0".repeat(24)}${bob.slice(2)}`] }] } }],
    ["bystander", { tx: { logs: [{ address: usdc, topics: ["0x1", `0x${"0".repeat(24)}${carol.slice(2)}`] }] } }],
  ])("says that it is %s: %#", (role, parts) => {
    expect(view(parts).role).toBe(role);
  });
});

describe("what an account gave and got", () => {
  const said = (parts: Parts) => view(parts).summary;
  const usd = (text: string) => ({ text, untrusted: false });

  it("is told with who was on the other side", () => {
    const others = usd("alice");
    expect(said({ movements: [move(alice, bob, 5_000_000n, usdc)] })).toBe(
      teller.say("view.got_from", { account: who, amount: usd("5 USDC"), others }).text,
    );
    expect(said({ movements: [move(bob, alice, 5_000_000n, usdc)] })).toBe(
      teller.say("view.gave_to", { account: who, amount: usd("5 USDC"), others }).text,
    );
    const [zero, both] = [
      toAddress(`0x${"0".repeat(40)}`),
      [move(bob, alice, 5_000_000n, usdc), move(alice, bob, 10n ** 18n)],
    ];
    expect(said({ movements: [move(zero, bob, 5_000_000n, usdc)] })).toBe(
      teller.say("view.got", { account: who, amount: usd("5 USDC") }).text,
    );
    expect(said({ movements: [move(bob, zero, 5_000_000n, usdc)] })).toBe(
      teller.say("view.gave", { account: who, amount: usd("5 USDC") }).text,
    );
    expect(said({ movements: both })).toBe(
      teller.say("view.traded", { account: who, gives: usd("5 USDC"), gets: usd("1 ETH") }).text,
    );
    expect(said({ movements: both, tx: { status: "reverted" } })).toBe(
      teller.say("view.reverted", { account: who }).text,
    );
  });

  it("is told with up to two rights that it gave", () => {
    const allowed = (amount: string) => teller.say("summary.allowed", { spender: "carol", amount: usd(amount) });
    const also = (amount: string) => teller.say("summary.also", { acts: allowed(amount) }).text;
    const unmoved = teller.say("view.unmoved", { account: who }).text;
    expect(said({ grants: [grant()] })).toBe(`${unmoved} ${also("5 USDC")}`);
    expect(said({ grants: [grant({ amount: null }), grant({ amount: unlimitedThreshold }), grant()] })).toBe(
      `${unmoved} ${also("USDC")} ${also("unlimited USDC")}`,
    );
    const left = [grant({ owner: alice }), grant({ stands: false }), grant({ uncertain: true })];
    expect([said({ grants: left }), view({ grants: left }).grants]).toEqual([unmoved, []]);
  });

  it("is listed exactly, with its price", () => {
    const nft = { standard: "erc721", tokenId: 5n } as const;
    const { balance_changes, provenance } = view({
      movements: [
        move(alice, bob, 10n ** 18n),
        move(bob, alice, 1_500_000n, usdc),
        move(alice, bob, 7n, token),
        move(alice, bob, 1n, odd, nft),
        move(bob, alice, 2n, odd, { standard: "erc1155", tokenId: null }),
        move(alice, bob, 1n, weth),
        move(bob, alice, 1n, weth),
      ],
      view: { account: alice, balances: [], prices: { [usdc]: { source: "q", usd: "2" } } },
    });
    const none = { usd: null, price_source: null, balance_check: "not_checked" };
    expect(balance_changes).toEqual([
      { ...none, token: "ETH", token_address: null, standard: "native", delta: "1", usd: 2000, price_source: "p" },
      {
        ...none,
        token: "USDC",
        token_address: checksum(usdc),
        standard: "erc20",
        delta: "-1.5",
        usd: -3,
        price_source: "q",
      },
      { ...none, token: "ODD", token_address: checksum(token), standard: "erc20", delta: "0.07" },
      { ...none, token: checksum(odd), token_address: checksum(odd), standard: "erc721", token_id: "5", delta: "1" },
      { ...none, token: checksum(odd), token_address: checksum(odd), standard: "erc1155", token_id: "0", delta: "-2" },
    ]);
    expect(provenance.untrusted_fields).toEqual(["summary", "balance_changes[2].token"]);
  });

  it("lists rights as data", () => {
    const { grants, provenance } = view({
      grants: [
        grant(),
        grant({ token, amount: 7n }),
        grant({ amount: unlimitedThreshold }),
        grant({ amount: unlimitedThreshold - 1n, token: odd }),
        grant({ amount: null, kind: "operator" }),
        grant({ amount: null, kind: "nft" }),
      ],
    });
    expect(grants[0]).toEqual({
      ...{ token: "USDC", token_address: checksum(usdc), spender: checksum(carol), amount: "5", unlimited: false },
    });
    expect(
      grants.slice(1).map(({ token: name, amount, unlimited }) => [name, amount?.slice(0, 4) ?? null, unlimited]),
    ).toEqual([
      ["ODD", "0.07", true],
      ["USDC", "1461", true],
      [checksum(odd), "1461", false],
      ["USDC", null, true],
      ["USDC", null, false],
    ]);
    expect(provenance.untrusted_fields).toEqual(["summary", "grants[1].token"]);
  });
});
