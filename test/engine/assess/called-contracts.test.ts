import { describe, expect, it } from "vitest";
import { calledContracts, delegatedCode } from "../../../src/engine/assess/examined/called-code.ts";
import { ranks } from "../../../src/engine/assess/examined/entry.ts";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import type { Call, Movement, Transaction } from "../../../src/model/transaction.ts";
import { alice, bob, calldata, carol, token, usdc, vault, weth } from "../../support/case-of.ts";
import { move, moved } from "../../support/movements.ts";

const approves = calldata("function approve(address, uint256)", [carol, 1n]);
const pays = calldata("function transfer(address, uint256)", [carol, 5n]);
/** Code of known accounts. */
const safe = weth;
const ruleset = {
  grants: { calls: new Map([["0x095ea7b3", [{ contracts: null }]]]) },
  accounts: { code: new Set([safe]) },
};

interface World {
  calls?: Partial<ActorCall>[];
  moves?: Movement[];
  tx?: Partial<Transaction>;
  /** What runs behind carol's account. */
  logic?: Address[];
}

/** An act of alice and carol. The vault has a name, and USDC is a listed token. By default a call is from alice to bob. */
function actOf({ calls = [{}], moves = [], tx = {}, logic }: World): SubjectAct {
  const plain = { parent: -1, via: null, step: null, from: alice, actor: alice, to: bob, value: 0n };
  return {
    tx: moved(moves, tx),
    subject: alice,
    principals: new Set([alice, carol]),
    calls: calls.map((call, id) => ({
      ...{ id, ...plain, input: "0x12345678", delegate: false, state: "executed", frame: -1 },
      ...call,
    })),
    labels: {
      name: (one: Address) => (one === vault ? {} : undefined),
      token: (one: Address) => (one === usdc ? {} : undefined),
    },
    file: { risk: { verification: logic === undefined ? {} : { [carol]: { logic } } } },
    ruleset,
  } as unknown as SubjectAct;
}

const called = { address: bob, role: "called", rank: ranks.called, account: alice, selector: "0x12345678" };
const selector = "0xa9059cbb";

describe("what principals called", () => {
  it.each<[string, World, object[]]>([
    ["nothing", { calls: [] }, []],
    ["a contract", {}, [called]],
    ["a contract, without a function", { calls: [{ input: "0x" }] }, [{ ...called, selector: null }]],
    ["two, in order", { calls: [{ to: token }, {}] }, [{ ...called, address: token }, called]],
    [
      "a contract of another principal",
      { calls: [{ actor: carol }] },
      [{ ...called, account: carol, rank: ranks.others }],
    ],
    ["not what a stranger called", { calls: [{ actor: bob }] }, []],
    ["not what was created", { calls: [{ to: null }] }, []],
    ["not what failed", { calls: [{ state: "failed" }] }, []],
    ["what failed with all the rest", { calls: [{ state: "failed" }], tx: { status: "reverted" } }, [called]],
    ["what is only asserted", { calls: [{ state: "asserted" }] }, [called]],
    ["not the account itself", { calls: [{ to: alice }] }, []],
    ["another's account", { calls: [{ to: carol }] }, [{ ...called, address: carol }]],
  ])("%s", (_what, world, expected) => expect(calledContracts(actOf(world))).toEqual(expected));

  const asToken = { ...called, role: "token", selector };
  const inToken = (world: World, parts: Partial<ActorCall> = {}) => ({ ...world, calls: [{ input: pays, ...parts }] });
  const own = { ...asToken, rank: ranks.others };
  it.each<[string, World, object]>([
    ["is a token where it is listed", inToken({}, { to: usdc }), { ...asToken, address: usdc, rank: ranks.token }],
    [
      "is one where it is listed and got ether",
      inToken({}, { to: usdc, value: 1n }),
      { ...asToken, address: usdc, rank: ranks.token },
    ],
    ["may be one where nobody lists it", inToken({}), own],
    ["may be one that gives a right", { calls: [{ input: approves }] }, { ...own, selector: "0x095ea7b3" }],
    ["is none that got ether", inToken({}, { value: 1n }), { ...called, selector }],
    ["is none of another function", { calls: [{ to: usdc }] }, { ...called, address: usdc }],
    ["is none whose code runs as the account's", inToken({}, { delegate: true }), { ...called, selector }],
    ["is one where the account gave it", inToken({ moves: [move(bob, alice, token, 1n)] }), own],
    [
      "is none where it gave something else",
      inToken({ moves: [move(bob, alice, token, 1n), move(usdc, alice, token, 1n)] }),
      { ...called, selector },
    ],
    ["is one where others gave something else", inToken({ moves: [move(usdc, token, alice, 1n)] }), own],
    ["is one where it gave a fee besides", inToken({ moves: [move(usdc, alice, token, 1n, { fee: true })] }), own],
  ])("%s", (_what, world, expected) => expect(calledContracts(actOf(world))).toEqual([expected]));
});

describe("a contract that holds a call of a principal", () => {
  const holds = (to: Address, world: World = {}) =>
    calledContracts(actOf({ ...world, calls: [{ to }, { parent: 0, from: to, to: token }] })).some(
      ({ address }) => address === to,
    );
  const frame = (parts: Partial<Call>) =>
    ({ traced: true, calls: [{ kind: "delegatecall", from: carol, to: safe, ...parts }] }) as Partial<Transaction>;
  it.each<[string, boolean, Address, World]>([
    ["is examined where it is a stranger", true, bob, {}],
    ["is not where it has a name", false, vault, {}],
    ["is examined where it only claims to be an account of a principal", true, carol, {}],
    ["is not where it sent the transaction", false, carol, { tx: { from: carol } }],
    [
      "is not where it gave something",
      false,
      carol,
      { moves: [move(usdc, bob, alice, 1n), move(usdc, carol, bob, 1n)] },
    ],
    ["is examined where it only got something", true, carol, { moves: [move(usdc, bob, carol, 1n)] }],
    ["is not where it runs known code", false, carol, { logic: [bob, vault] }],
    ["is examined where it runs strange code", true, carol, { logic: [bob] }],
    ["is examined where it is its own code", true, carol, { logic: [carol] }],
    ["is not where it spoke", false, carol, { tx: { logs: [{ address: carol, topics: [] }] } as never }],
    ["is examined where somebody else spoke", true, carol, { tx: { logs: [{ address: bob, topics: [] }] } as never }],
    ["is not where it ran code of accounts", false, carol, { tx: frame({}) }],
    ["is examined where it only called such code", true, carol, { tx: frame({ kind: "call" }) }],
    ["is examined where another ran such code", true, carol, { tx: frame({ from: bob }) }],
    ["is examined where it ran other code", true, carol, { tx: frame({ to: bob }) }],
    ["is examined where it ran nothing", true, carol, { tx: frame({ to: null }) }],
    ["is examined though it is a stranger that gave something", true, bob, { moves: [move(usdc, bob, carol, 1n)] }],
  ])("%s", (_what, expected, to, world) => expect(holds(to, world)).toBe(expected));

  it("is the account itself where it holds nothing", () => {
    const calls = [{ to: bob }, { parent: 0, from: bob, to: alice }, { parent: 0, from: bob, to: token }];
    expect(calledContracts(actOf({ calls })).map(({ address }) => address)).toEqual([bob, token]);
  });
});

describe("code that ran as a principal's account", () => {
  const ran = (calls: Partial<ActorCall>[], tx: Partial<Transaction> = {}) => delegatedCode(actOf({ calls, tx }));
  const power = { ...called, rank: ranks.power };
  const asked = { delegate: true };
  it.each<[string, Partial<ActorCall>[], object[]]>([
    ["none", [{}], []],
    ["that it asked for", [asked], [power]],
    ["of another principal", [{ ...asked, from: carol }], [{ ...power, account: carol }]],
    ["not of a stranger", [{ ...asked, from: bob, to: token }], []],
    ["not that failed", [{ ...asked, state: "failed" }], []],
    ["not a step of a program", [{ ...asked, step: "swap" }], []],
    [
      "not what holds further calls",
      [asked, { ...asked, parent: 0, to: weth, input: "0x" }],
      [{ ...power, address: weth, selector: null }],
    ],
    ["not its own", [{ ...asked, to: alice }], []],
    ["not what was called, beside it", [asked, { to: token }], [power]],
  ])("%s", (_what, calls, expected) => expect(ran(calls)).toEqual(expected));

  const frame = { ok: true, kind: "delegatecall", from: alice, to: bob, parent: 0, input: "0x12345678" };
  const root = { ok: true, kind: "call", from: bob, to: alice, parent: -1, input: "0x87654321" };
  it.each<[string, object[], object[]]>([
    ["by the call tree", [root, frame], [power]],
    ["of the old kind", [root, { ...frame, kind: "callcode" }], [power]],
    ["not by a plain call", [root, { ...frame, kind: "call" }], []],
    ["not where it failed", [root, { ...frame, ok: false }], []],
    ["not of a stranger", [root, { ...frame, from: token }], []],
    ["not a proxy's own logic", [{ ...root, input: frame.input }, frame], []],
    ["not its own", [root, { ...frame, to: alice }], []],
    ["twice", [root, frame, { ...frame, to: token }], [power, { ...power, address: token }]],
  ])("%s", (_what, calls, expected) => {
    expect(ran([{}], { traced: true, calls: calls as Call[] })).toEqual(expected);
    expect(ran([{}], { traced: false, calls: calls as Call[] })).toEqual([]);
  });
});
