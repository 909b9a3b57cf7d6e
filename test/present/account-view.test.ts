import { describe, expect, it } from "vitest";
import { type Address, checksum, toAddress } from "../../src/kernel/address.ts";
import { limits } from "../../src/kernel/limits.ts";
import type { Movement } from "../../src/model/transaction.ts";
import { AssetNames } from "../../src/present/amounts/asset-names.ts";
import { netChanges } from "../../src/present/view/net-changes.ts";
import { presentView } from "../../src/present/view/view.ts";
import { alice, bob, carol, caseOf, metadata, token, usdc, vault, weth } from "../support/case-of.ts";
import { shippedLabels } from "../support/labels.ts";
import { shippedTeller } from "../support/wording.ts";

const teller = shippedTeller();
const odd = toAddress(`0x${"71".repeat(20)}`);
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
const names = new AssetNames(
  caseOf({ tokens: { [token]: metadata("ODD", 2), [odd]: metadata(null, null) } }),
  ...([shippedLabels(), policy, teller] as const),
);
const letters = new Map<Address, string>([
  [alice, "alice"],
  [carol, "carol"],
]);
const nameOf = (address: Address) => letters.get(address) ?? teller.short(address);
const words = { names, teller, nameOf, writer: undefined as never };

function move(from: Address, to: Address, amount: bigint, of: Address | null = null, more: object = {}): Movement {
  const standard = of === null ? "native" : "erc20";
  return {
    ...{ index: 0, standard, token: of, tokenId: null, amount, from, to, log: -1, call: -1, fee: false, basis: "log" },
    ...more,
  } as Movement;
}

const explanation = {
  ...{ summary: "All of it.", action_type: "swap", status: "success", risk_flags: ["f"], checks: { note: "c" } },
  ...{ gas_paid_usd: 0.5, timestamp: "t", block_number: 7, explorer_url: "u", partial: false },
  provenance: { untrusted_fields: ["assets_moved[0].token"], note: "n" },
};

interface Parts {
  movements?: Movement[];
  tx?: object;
  grants?: object[];
  calls?: object[];
  view?: object;
  explanation?: object;
  subject?: Address;
}

/** What is told of bob. */
function view(parts: Parts = {}, account: Address = bob) {
  const movements = (parts.movements ?? []).map((one, index) => ({ ...one, index }));
  const tx = {
    ...{
      hash: "0xh",
      from: alice,
      to: vault,
      movements,
      logs: [],
      status: "success",
      feeWei: 9n,
      nativeComplete: true,
    },
    ...{ weth: new Set([weth]), listed: new Set([usdc]), ...parts.tx },
  };
  const findings = {
    ...{ tx, subject: parts.subject ?? alice, unwrapped: { calls: parts.calls ?? [] } },
    file: { price: { source: "p", eth_usd: "2000" }, view: parts.view },
    ruleset: { grants: { unlimited: new Set([7n]) } },
  };
  return presentView(findings as never, account, {
    ...{ explanation: { ...explanation, ...parts.explanation }, grants: parts.grants ?? [], words },
  } as never);
}
const grant = (more: object = {}) => ({
  ...{ owner: bob, grantee: carol, token: usdc, amount: 5_000_000n, kind: "erc20", stands: true, uncertain: false },
  ...more,
});
const who = teller.short(bob);

describe("the view of an account", () => {
  it("has what the answer says, and what is its own", () => {
    expect(view()).toEqual({
      ...{ tx_hash: "0xh", account: checksum(bob), role: "bystander" },
      summary: teller.say("view.unmoved", { account: who }).text,
      ...{ action_type: "swap", status: "success", balance_changes: [], grants: [], risk_flags: ["f"] },
      ...{ checks: { note: "c" }, paid_gas_usd: 0, timestamp: "t", block_number: 7, explorer_url: "u" },
      ...{ partial: false, provenance: { untrusted_fields: [], note: "n" } },
    });
  });

  it("is the answer itself where that is about the account", () => {
    const untrusted = { provenance: { untrusted_fields: ["summary"], note: "n" } };
    const own = view({ explanation: untrusted }, alice);
    expect([own.summary, own.role, own.paid_gas_usd]).toEqual(["All of it.", "sender", 0.5]);
    expect(own.provenance.untrusted_fields).toEqual(["summary"]);
    expect(view({}, alice).provenance.untrusted_fields).toEqual([]);
  });

  it("is partial where the answer is, or not all was seen or shown", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => move(alice, bob, 1n, toAddress(`0x${i.toString(16).padStart(40, "d")}`)));
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
    expect(said({ grants: [grant({ amount: null }), grant({ amount: 2n ** 255n }), grant()] })).toBe(
      `${unmoved} ${also("USDC")} ${also("unlimited USDC")}`,
    );
    const left = [grant({ owner: alice }), grant({ stands: false }), grant({ uncertain: true })];
    expect([said({ grants: left }), view({ grants: left }).grants]).toEqual([unmoved, []]);
  });

  it("is listed exactly, with its price", () => {
    const nft = { standard: "erc721", tokenId: 5n };
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
        grant({ amount: 2n ** 255n }),
        grant({ amount: 2n ** 255n - 1n, token: odd }),
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
      ["USDC", "5789", true],
      [checksum(odd), "5789", false],
      ["USDC", null, true],
      ["USDC", null, false],
    ]);
    expect(provenance.untrusted_fields).toEqual(["summary", "grants[1].token"]);
  });
});

describe("the balances of an account", () => {
  const read = (before: string | null, after: string | null, of: Address | null = usdc) => ({
    ...{ account: bob, prices: {}, balances: [{ token: of, before, after }] },
  });
  const check = (parts: Parts, account = bob) => view(parts, account).balance_changes.map((one) => one.balance_check);
  const movements = [move(alice, bob, 5n, usdc)];

  it.each<[string, Parts, string[]]>([
    ["were not read", { movements }, ["not_checked"]],
    ["of another account", { movements, view: { ...read("1", "6"), account: alice } }, ["not_checked"]],
    ["of another token", { movements, view: read("1", "6", weth) }, ["not_checked"]],
    ["not known before", { movements, view: read(null, "6") }, ["not_checked"]],
    ["not known after", { movements, view: read("1", null) }, ["not_checked"]],
    ["moved as much", { movements, view: read("1", "6") }, ["equal"]],
    ["moved otherwise", { movements, view: read("1", "7") }, ["differs"]],
    [
      "moved, where as much came as went",
      { movements: [...movements, move(bob, alice, 5n, usdc)], view: read("1", "2") },
      ["differs"],
    ],
    [
      "stood still, where as much came as went",
      { movements: [...movements, move(bob, alice, 5n, usdc)], view: read("1", "1") },
      [],
    ],
    [
      "of ether, of somebody who paid no gas",
      { movements: [move(alice, bob, 5n)], view: read("1", "6", null) },
      ["equal"],
    ],
    [
      "of ether, less the gas",
      { movements: [move(alice, bob, 50n)], tx: { from: bob }, view: read("1", "42", null) },
      ["equal"],
    ],
    [
      "of ether, of a fee that is not known",
      { movements: [move(alice, bob, 5n)], tx: { from: bob, feeWei: null }, view: read("1", "6", null) },
      ["not_checked"],
    ],
    ["of a token, whatever the gas", { movements, tx: { from: bob, feeWei: null }, view: read("1", "6") }, ["equal"]],
    [
      "of an NFT",
      { movements: [move(alice, bob, 1n, usdc, { standard: "erc721", tokenId: 1n })], view: read("0", "1") },
      ["not_checked"],
    ],
    [
      "of copies of an NFT",
      { movements: [move(alice, bob, 1n, usdc, { standard: "erc1155", tokenId: 1n })], view: read("0", "1") },
      ["not_checked"],
    ],
  ])("that %s", (_case, parts, expected) => {
    expect(check(parts)).toEqual(expected);
  });

  it("change by what came less what went, asset by asset, in the order in which they first moved", () => {
    const nft = (tokenId: bigint) => ({ standard: "erc1155", tokenId });
    const all = [
      move(alice, bob, 5n, usdc),
      move(alice, carol, 9n, usdc),
      move(bob, alice, 7n),
      move(bob, bob, 3n),
      move(bob, carol, 2n, usdc),
      move(alice, bob, 1n, token, nft(1n)),
      move(alice, bob, 2n, token, nft(2n)),
    ];
    expect(netChanges(all, bob)).toEqual([
      { standard: "erc20", token: usdc, tokenId: null, delta: 3n },
      { standard: "native", token: null, tokenId: null, delta: -7n },
      { standard: "erc1155", token, tokenId: 1n, delta: 1n },
      { standard: "erc1155", token, tokenId: 2n, delta: 2n },
    ]);
    expect(netChanges(all, vault)).toEqual([]);
  });
});
