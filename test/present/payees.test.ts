import { describe, expect, it } from "vitest";
import { type Address, toAddress } from "../../src/kernel/address.ts";
import { FlowPhrases } from "../../src/present/amounts/flow-phrases.ts";
import { tellPayees } from "../../src/present/given/payees.ts";
import { tierRank } from "../../src/ruleset/actions.ts";
import { alice, bob, carol, usdc, vault, weth, zero } from "../support/case-of.ts";
import { namesOf, teller } from "./named-world.ts";

const names = namesOf();

describe("who was paid out for an account that got nothing", () => {
  const stranger = toAddress(`0x${"5e".repeat(20)}`);
  const move = (from: Address, to: Address, amount: bigint, token: Address | null = usdc, more: object = {}) => ({
    ...{
      standard: token === null ? "native" : "erc20",
      token,
      tokenId: null,
      from,
      to,
      amount,
      log: -1,
      call: -1,
      fee: false,
      basis: "log",
    },
    ...more,
  });
  const given = move(alice, vault, 5n, weth);
  const gaveUsdc = { gives: [{ key: usdc, token: usdc }] };
  interface Parts {
    moves?: object[];
    tx?: object;
    flow?: object;
    isSaid?: (name: string) => boolean;
    nameOf?: (address: Address) => string;
    tier?: number;
    actsFor?: object | null;
    target?: Address | null;
  }
  const tell = ({
    moves = [given, move(vault, stranger, 2_000_000n)],
    tx = {},
    flow = {},
    isSaid = () => false,
    nameOf = teller.short,
    tier = tierRank("flow"),
    actsFor = null,
    target = vault,
  }: Parts = {}) => {
    const movements = moves.map((one, index) => ({ ...one, index }));
    const context = {
      tx: {
        status: "success",
        from: alice,
        to: vault,
        movements,
        calls: [],
        logs: [],
        weth: new Set(),
        listed: new Set([usdc]),
        ...tx,
      },
      ...{ subject: alice, target, flow: { gives: [{ key: weth, token: weth }], gets: [], complete: true, ...flow } },
    };
    return tellPayees({ rule: { tier, actsFor }, context } as never, isSaid, { names, teller, nameOf }).map(
      ({ predicate }) => predicate.text,
    );
  };
  const vaultKnown = (address: Address) => (address === vault ? "Vault" : teller.short(address));
  const said = (text: string) =>
    teller.say("summary.had_paid", { amount: { text, untrusted: false }, to: teller.short(stranger) }).text;

  it("is told with what he got", () => {
    expect(tell()).toEqual([said("2 USDC")]);
  });

  it("is told where a known contract pays out what it kept", () => {
    const kept = { flow: { gives: [] }, moves: [move(bob, stranger, 2_000_000n)] };
    expect(tell({ ...kept, nameOf: vaultKnown })).toEqual([said("2 USDC")]);
    expect(tell({ moves: [given, move(bob, stranger, 2_000_000n)], nameOf: vaultKnown })).toEqual([said("2 USDC")]);
    expect(tell({ moves: [given, move(bob, stranger, 2_000_000n)] })).toEqual([]);
  });

  it("is told of tokens without a call tree too", () => {
    expect(tell({ flow: { complete: false } })).toEqual([said("2 USDC")]);
    const ether = { moves: [move(alice, vault, 5n), move(vault, stranger, 2n, null)], flow: gaveUsdc };
    expect(tell(ether)).toEqual([said("0.000000000000000002 ETH")]);
  });

  it.each<[string, Parts]>([
    ["it reverted", { tx: { status: "reverted" } }],
    ["nothing was given and a stranger was called", { flow: { gives: [] } }],
    ["nothing was given and somebody else acted", { flow: { gives: [] }, actsFor: {}, nameOf: vaultKnown }],
    ["it was a bundle of others' acts", { flow: { gives: [] }, nameOf: vaultKnown, tier: tierRank("system") }],
    ["nothing was given and a contract is created", { flow: { gives: [] }, target: null, nameOf: vaultKnown }],
    ["something was got", { flow: { gets: [{ key: usdc }] } }],
    [
      "he may have passed on the ether unseen",
      { moves: [move(alice, vault, 5n), move(vault, stranger, 2n, null)], flow: { ...gaveUsdc, complete: false } },
    ],
    [
      "he may have unwrapped it unseen",
      {
        moves: [move(alice, vault, 5n), move(vault, stranger, 2n, weth)],
        tx: { weth: new Set([weth]) },
        flow: { ...gaveUsdc, complete: false },
      },
    ],
    ["nobody was paid", { moves: [given] }],
    ["it was the sender", { tx: { from: stranger } }],
    ["he is known", { nameOf: () => "Somebody" }],
    ["he is named already", { isSaid: (name) => name === teller.short(stranger) }],
    [
      "others got more than half",
      { moves: [given, move(bob, vault, 1n, weth), move(vault, stranger, 2n), move(vault, bob, 3n)] },
    ],
  ])("is not told where %s", (_case, parts) => {
    expect(tell(parts)).toEqual([]);
  });

  it("is told with three assets at most, and with whoever got most", () => {
    const tokens = ["21", "22", "23", "24"].map((digits) => toAddress(`0x${digits.repeat(20)}`));
    const many = tell({ moves: [given, ...tokens.map((one) => move(vault, stranger, 2n, one))] });
    expect(many[0]?.match(/raw units of token/g)).toHaveLength(3);
    const flows = new FlowPhrases(names, teller, teller.short);
    const moves = [given, move(vault, stranger, 3n), move(vault, bob, 2n)];
    const movements = moves.map((one, index) => ({ ...one, index }));
    const tx = { status: "success", from: alice, to: vault, movements, calls: [], logs: [], weth: new Set() };
    const flow = { gives: [{ key: weth, token: weth }], gets: [], complete: true };
    expect(flows.payee({ tx, subject: alice, flow } as never)).toEqual({
      text: teller.short(stranger),
      untrusted: false,
    });
  });

  it("got half of it or more, fees and burnt tokens aside", () => {
    const half = [given, move(bob, vault, 1n, weth), move(vault, stranger, 2_000_000n), move(vault, bob, 2_000_000n)];
    expect(tell({ moves: half })).toEqual([said("2 USDC")]);
    expect(tell({ moves: [...half, move(vault, zero, 9_000_000n)] })).toEqual([said("2 USDC")]);
    expect(tell({ moves: [...half, move(carol, bob, 0n)] })).toEqual([said("2 USDC")]);
    const way = [move(vault, bob, 2_000_000n), move(bob, carol, 2_000_000n), move(carol, stranger, 2_000_000n)];
    expect(tell({ moves: [given, ...way] })).toEqual([said("2 USDC")]);
    expect(tell({ moves: [...half, move(vault, bob, 9_000_000n, usdc, { fee: true })] })).toEqual([said("2 USDC")]);
  });
});
