import { describe, expect, it } from "vitest";
import { tokenFees } from "../../../src/engine/unwrap/token-fees.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Call, Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, calldata, carol, token, usdc, vault, zero } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

/** An event of an account that paid, which says what its gas cost. The test gives its arguments. */
const hint = (hash: string, parts: object = {}) => ({
  ...{
    event: { hash, read: (topics: unknown[]) => topics[1] },
    gate: {},
    from: 0,
    to: 1,
    token: null,
    amount: null,
    cost: 2,
  },
  ...parts,
});
const fees = [
  hint("0xcost"),
  hint("0xanybody", { to: null }),
  hint("0xtold", { to: null, token: 1, amount: 2, cost: null }),
];
const said = (hash: string, args: unknown[] | undefined, address: Address = vault) => ({
  address,
  topics: [hash, args],
  data: "0x",
});
/** Vaults are known contracts. One base unit of a token is worth one wei. */
const worth = (token: Address) => (token === usdc ? 10n ** 18n : undefined);
const least = 200_000_000_000_000n;

interface World {
  logs?: object[];
  calls?: Partial<ActorCall>[];
  tx?: Partial<Transaction>;
}
const spent = said("0xcost", [bob, carol, 0n]);
/** Indexes of what was paid for gas; bob pays carol. */
function feesIn(moves: Movement[], { logs = [spent], calls = [], tx = {} }: World = {}): number[] {
  const own = { from: bob, actor: bob, to: usdc, state: "executed", input: "0x" };
  return tokenFees({
    tx: moved(moves, { logs: logs as never, etherWorth: worth, ...tx }),
    ruleset: { fees } as never,
    gates: { admits: (_gate: object, one: Address, from: Address) => one === vault && from === alice } as never,
    calls: calls.map((call) => ({ ...own, ...call })) as ActorCall[],
  });
}
const pays = (amount = 5n, to = carol, of: Address | null = usdc) => move(of, bob, to, amount);
const back = (amount: bigint) => move(usdc, carol, bob, amount);

describe("gas that was paid in a token", () => {
  it.each<[string, number[], Movement[], World]>([
    ["what the collector got", [0], [pays()], {}],
    ["nothing without an event", [], [pays()], { logs: [] }],
    ["what one of several logs says", [0], [pays()], { logs: [said("0xother", []), spent, said("0xother", [])] }],
    ["nothing by another event", [], [pays()], { logs: [said("0xother", [bob, carol, 0n])] }],
    ["nothing that a stranger says", [], [pays()], { logs: [said("0xcost", [bob, carol, 0n], token)] }],
    ["nothing by what cannot be read", [], [pays()], { logs: [said("0xcost", undefined)] }],
    ["nothing of nobody", [], [pays()], { logs: [said("0xcost", [zero, carol, 0n])] }],
    ["nothing to nobody", [], [pays()], { logs: [said("0xcost", [bob, zero, 0n])] }],
    ["nothing that another got", [], [pays(5n, vault)], {}],
    ["nothing that others paid", [], [move(usdc, alice, carol, 5n)], {}],
    ["no ether", [], [pays(5n, carol, null)], {}],
    ["no NFT", [], [{ ...pays(), standard: "erc721" }], {}],
    ["nothing to oneself", [], [move(usdc, bob, bob, 5n)], { logs: [said("0xanybody", [bob, carol, 0n])] }],
    ["all of several payments", [0, 2], [pays(), pays(5n, vault), pays()], {}],
    ["what came back, too", [0, 1], [pays(), back(4n)], {}],
    ["all though all came back", [0, 1], [pays(), back(5n)], {}],
    ["nothing where more came back", [], [pays(), back(6n)], {}],
    ["nothing where it only came", [], [back(5n)], {}],
    ["nothing of two tokens", [], [pays(), pays(5n, carol, token)], {}],
    ["a little of a token", [0], [pays(least)], {}],
    ["no more than a little", [], [pays(least + 1n)], {}],
    ["five times what it cost", [0], [pays(5n * least)], { logs: [said("0xcost", [bob, carol, least])] }],
    ["no more than that", [], [pays(5n * least + 1n)], { logs: [said("0xcost", [bob, carol, least])] }],
    [
      "five times what all of it cost",
      [0],
      [pays(10n * least)],
      { logs: [1, 2].map(() => said("0xcost", [bob, carol, least])) },
    ],
    ["nothing of unknown worth", [], [pays(1n, carol, token)], {}],
    [
      "what somebody got, where nobody is named",
      [0],
      [pays(5n, vault)],
      { logs: [said("0xanybody", [bob, carol, 0n])] },
    ],
    [
      "nothing that two got, where nobody is named",
      [],
      [pays(5n, vault), pays()],
      { logs: [said("0xanybody", [bob, carol, 0n])] },
    ],
  ])("is %s", (_what, expected, moves, world) => expect(feesIn(moves, world)).toEqual(expected));

  const told = (amount: bigint, of: Address = usdc) => ({ logs: [said("0xtold", [bob, of, amount])] });
  it.each<[string, number[], Movement[], World]>([
    ["what it says", [0], [pays(9n * least)], told(9n * least)],
    ["the rest that it says", [0, 1], [pays(), back(2n)], told(3n)],
    ["nothing of another amount", [], [pays()], told(4n)],
    ["nothing of nothing", [], [pays(), back(5n)], told(0n)],
    ["nothing of another token", [], [pays()], told(5n, token)],
    ["of its token alone", [1], [pays(5n, carol, token), pays()], told(5n)],
    ["to whoever got as much", [1], [pays(4n), pays(5n, vault)], told(5n)],
    ["in a token of unknown worth", [0], [pays(5n, carol, token)], told(5n, token)],
    [
      "proven, though the cost alone would not do",
      [0],
      [pays(9n * least)],
      { logs: [said("0xtold", [bob, usdc, 9n * least]), spent] },
    ],
    [
      "proven, whichever event comes last",
      [0],
      [pays(9n * least)],
      { logs: [spent, said("0xtold", [bob, usdc, 9n * least])] },
    ],
  ])("where an event tells the amount, is %s", (_what, expected, moves, world) => {
    expect(feesIn(moves, world)).toEqual(expected);
  });
});

describe("what an account sent on purpose", () => {
  const sends = (amount: bigint, to = carol) => ({
    input: calldata("function transfer(address, uint256)", [to, amount]),
  });
  const takes = (from: Address, amount: bigint) => ({
    input: calldata("function transferFrom(address, address, uint256)", [from, carol, amount]),
  });
  it.each<[string, number[], Movement[], Partial<ActorCall>[]]>([
    ["is no gas", [], [pays()], [sends(5n)]],
    ["is no gas of its own allowance", [], [pays()], [takes(bob, 5n)]],
    ["is none of another's allowance", [0], [pays()], [takes(alice, 5n)]],
    ["is none where it failed", [0], [pays()], [{ ...sends(5n), state: "failed" }]],
    ["is none where others called", [0], [pays()], [{ ...sends(5n), from: alice }]],
    ["is none of another token", [0], [pays()], [{ ...sends(5n), to: token }]],
    ["is none to another", [0], [pays()], [sends(5n, vault)]],
    ["is none by another function", [0], [pays()], [{ input: "0x12345678" }]],
    ["is one movement for each call", [1], [pays(), pays()], [sends(5n)]],
    ["is both of two calls", [], [pays(), pays()], [sends(5n), sends(5n)]],
    ["is what matches exactly first", [0], [pays(4n), pays()], [sends(5n)]],
    ["is as much as matches exactly, once each", [1], [pays(4n), pays(7n), pays()], [sends(5n), sends(4n)]],
    ["is else the first, as a token may take a part", [1], [pays(4n), pays(3n)], [sends(5n)]],
    ["is what a called contract took", [], [pays()], [{ to: carol, input: "0x12345678" }]],
    ["may be what another called contract took", [0], [pays()], [{ to: vault, input: "0x12345678" }]],
    ["is none where nothing but that was moved", [], [pays(), back(1n)], [sends(5n)]],
  ])("%s", (_what, expected, moves, calls) => {
    expect(feesIn(moves, { calls })).toEqual(expected);
  });

  const frame = (parts: object = {}) => ({ kind: "call", from: bob, to: usdc, parent: -1, ...parts }) as Call;
  const proxy = frame({ kind: "delegatecall", from: usdc, to: vault, parent: 0 });
  it.each<[string, number[], Call[], number, boolean]>([
    ["is what it called the token for", [], [frame()], 0, true],
    ["is not without a call tree", [0], [frame()], 0, false],
    ["is what a token behind a proxy did", [], [frame(), proxy], 1, true],
    ["is what one behind two did", [], [frame(), proxy, { ...proxy, parent: 1 }], 2, true],
    ["is not what others called for", [0], [frame({ from: alice })], 0, true],
    ["is not what another contract did", [0], [frame({ to: token })], 0, true],
    ["is not what stands nowhere", [0], [frame()], -1, true],
  ])("by the call tree %s", (_what, expected, calls, call, traced) => {
    expect(feesIn([{ ...pays(), call }], { tx: { calls, traced } })).toEqual(expected);
  });
});
