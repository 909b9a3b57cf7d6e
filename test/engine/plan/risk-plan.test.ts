import { toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { planRisk } from "../../../src/engine/plan/risk-plan.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import { hashOf } from "../../support/sample.ts";
import {
  actOf,
  alice,
  approval,
  caseOf,
  router,
  type Scene,
  someone,
  spender,
  token,
  transfer,
  usdc,
  word,
} from "../assess/scene.ts";

const [bob, carol, dave, stranger] = ["bob", "carol", "dave", "stranger"].map(someone) as [
  ...[Address, Address, Address, Address],
];
const zero = `0x${"0".repeat(40)}` as Address;
const called = {
  ...{ id: 0, parent: -1, via: null, step: null, from: alice, actor: alice, to: router, value: 0n },
  ...{ input: "0x12345678", delegate: false, state: "executed", frame: -1 },
} as ActorCall;

interface World extends Scene {
  principals?: Address[];
  calls?: ActorCall[];
  file?: Partial<CaseFile>;
  max?: number;
}

function planned({ principals = [alice], calls = [], file = {}, max = 9, ...scene }: World) {
  return planRisk({ ...actOf({ ...caseOf(scene), ...file }), principals: new Set(principals), calls }, max);
}

const paid = [transfer(usdc, alice, carol, 5n), transfer(usdc, alice, bob, 6n)];
const nothingOf = (...owners: Address[]) => owners.map((owner) => transfer(token, owner, stranger, 0n));

describe("what is asked of risks", () => {
  it("is all at once: whose code, whose history, who may be listed, and where the act stands", () => {
    expect(planned({ logs: [...paid, approval(usdc, alice, spender, 7n)], calls: [called] })).toEqual({
      verify: [
        { address: router, selector: "0x12345678", owner: null },
        { address: spender, selector: null, owner: null },
        { address: bob, selector: null, owner: alice },
        { address: carol, selector: null, owner: alice },
      ],
      histories: [alice],
      listed: [spender, bob, carol, router, alice],
      place: { hash: hashOf(7), from: alice, nonce: 5, block: 100, index: 3 },
    });
  });

  it.each<[string, ActorCall[], Address]>([
    ["the one that the subject called", [called], router],
    ["the first of several", [called, { ...called, to: bob }], router],
    ["not one that somebody else called", [{ ...called, actor: dave }], spender],
    ["not code that runs as the account's own", [{ ...called, delegate: true }], spender],
    ["whoever is first otherwise, where nothing was called", [], spender],
    ["whoever is first otherwise, at a creation", [{ ...called, to: null }], spender],
  ])("begins with the called contract, however much else there is: %s", (_name, calls, first) => {
    const logs = [...paid, approval(usdc, alice, spender, 7n)];
    expect(planned({ logs, calls, max: 1 }).verify.map(({ address }) => address)).toEqual([first]);
  });

  it.each([
    [0, []],
    [1, [bob]],
    [2, [bob, carol]],
    [3, [bob, carol]],
  ])("is the code of no more than %d addresses; the others are still looked for in lists", (max, addresses) => {
    const { verify, listed } = planned({ logs: paid, max });
    expect([verify.map(({ address }) => address), listed]).toEqual([addresses, [bob, carol, alice]]);
  });

  it.each<[string, World, Address[]]>([
    ["of nobody else", {}, []],
    ["of the one account in whose name nothing was moved", { logs: nothingOf(bob) }, [bob]],
    ["of nobody else where there are two of them", { logs: nothingOf(bob, carol) }, []],
    [
      "of the one such account, whoever else deals with strangers",
      { logs: [...nothingOf(bob), transfer(usdc, carol, dave, 8n)], principals: [alice, carol] },
      [bob],
    ],
    [
      "of another principal that deals with strangers",
      { logs: [transfer(usdc, bob, stranger, 7n)], principals: [alice, bob] },
      [bob],
    ],
    [
      "of the first of two such principals",
      { logs: [transfer(usdc, bob, stranger, 7n), transfer(usdc, carol, dave, 8n)], principals: [alice, bob, carol] },
      [bob],
    ],
    ["of no other account", { logs: [transfer(usdc, bob, stranger, 7n)] }, []],
    ["of nobody else where the subject does so itself", { logs: paid }, []],
  ])("is the history of the subject, and %s", (_name, world, others) => {
    expect(planned(world).histories).toEqual([alice, ...others]);
  });

  it("is also who sent it, and whose authority it used", () => {
    expect(planned({ from: carol, to: bob, principals: [alice, dave] }).listed).toEqual([carol, alice, dave]);
  });

  it("is no code of what nodes run themselves, which is looked for in lists all the same", () => {
    const factory = "0xb20f000000000000000000000000000000000000" as Address;
    const [asset, unproven, denied] = ["c2e324d24d7eecd1fb", "78ee7ce2fe4908108c", "7777777777777777aa"].map(
      (hash) => `0xb200000000000000000000${hash}` as Address,
    ) as [Address, Address, Address];
    const answer = (token: Address, result: bigint) => ({
      ...{ status: "found" as const, source: "test", to: factory, result: word(result) },
      data: `${toFunctionSelector("isB20Initialized(address)")}${word(BigInt(token)).slice(2)}` as const,
    });
    const reads = [answer(asset, 1n), answer(denied, 0n)];
    const calls = [asset, unproven, denied, factory].map((to, id) => ({ ...called, id, to }));
    const { verify, listed, histories } = planned({ calls, file: { reads } });
    expect(verify.map(({ address }) => address)).toEqual([unproven, denied]);
    expect(listed).toEqual([asset, unproven, denied, factory, alice]);
    expect(histories).toEqual([alice]);
  });

  it("is everybody who moved something where ether is not seen, but for addresses that nobody deals with", () => {
    const logs = [transfer(usdc, alice, bob, 7n), transfer(usdc, carol, dave, 8n), transfer(usdc, zero, dave, 9n)];
    expect(planned({ logs }).listed).toEqual([bob, alice]);
    const unseen: CaseFile["trace"] = { source: "none", reason: "none" };
    const { listed } = planned({ logs, input: "0x", file: { trace: unseen } });
    expect([...listed].sort()).toEqual([alice, bob, carol, dave].sort());
    expect(listed[0]).toBe(bob);
  });
});

describe("where an act stands", () => {
  it.each<[string, Partial<CaseFile>, object]>([
    ["what is simulated comes after its whole block", { simulation: {} as never }, { index: Number.MAX_SAFE_INTEGER }],
    ["what is not told is not known", {}, { index: null, nonce: null }],
  ])("%s", (_name, parts, place) => {
    const file = caseOf({});
    const { nonce: _, transactionIndex: __, ...transaction } = file.transaction;
    const bare = "simulation" in parts ? file.transaction : transaction;
    const whole = { hash: hashOf(7), from: alice, nonce: 5, block: 100, index: 3 };
    expect(planned({ file: { transaction: bare, ...parts } }).place).toEqual({ ...whole, ...place });
  });
});
