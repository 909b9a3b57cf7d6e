import { describe, expect, it } from "vitest";
import { namedTokens } from "../../../src/engine/plan/named-tokens.ts";
import { membersReads, type PlanInput, planReads } from "../../../src/engine/plan/plan.ts";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import {
  approvalForAllTopic,
  approvalTopic,
  totalSupplySelector,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
} from "../../../src/kernel/token-standards.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { alice, bob, carol, caseOf, token, usdc, vault, weth } from "../../support/case-of.ts";

const made = (number: number) => toAddress(`0x${number.toString(16).padStart(8, "0").padStart(40, "7")}`);
const manager = made(0xabc);
const registry = made(0xdef);
const word = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
const log = (address: string, ...topics: string[]): RpcLog => ({ address, topics, data: "0x" }) as RpcLog;
const grantTopic = `0x${"6".repeat(64)}`;
/** An event in which a manager of allowances names the token as its second argument. */
const grantEvent = (amount: number | null, contracts = [manager]) => ({
  event: { read: (topics: string[]) => [null, `0x${topics[1]?.slice(-40)}`] },
  contracts: new Set(contracts),
  amount: amount === null ? null : [amount],
  ...{ owner: [0], token: [1], spender: [0], key: null, until: null },
});

interface World {
  logs?: RpcLog[];
  transaction?: object;
  principals?: Address[];
  involved?: Address[];
  grants?: object[];
  byTopic?: [string, object[]][];
  bySelector?: [string, object[]][];
}

function planned(world: World) {
  const { logs = [], transaction = {}, principals = [alice], involved = [], grants = [grantEvent(2)] } = world;
  const ruleset = {
    grants: { events: new Map([[grantTopic, grants]]) },
    ...{ limitedTokens: [], notes: [], precompiles: [] },
    byTopic: new Map(world.byTopic),
    bySelector: new Map(world.bySelector),
  };
  const labels = {
    token: (address: Address) => (address === usdc || address === weth ? {} : undefined),
    name: (address: Address) => (address === carol ? {} : undefined),
  };
  const file = caseOf({ transaction, receipt: { logs } });
  const input = {
    ...file,
    ruleset,
    labels,
    principals: new Set(principals),
    involved: new Set(involved),
  } as unknown as PlanInput;
  return planReads(input);
}
const tokensOf = (logs: RpcLog[], world: World = {}) => planned({ ...world, logs }).tokens;
const suppliesOf = (logs: RpcLog[], world: World = {}) => planned({ ...world, logs }).reads.map(({ to }) => to);
const approval = (of: Address, owner: Address) => log(of, approvalTopic, word(owner), word(bob));

describe("tokens that are asked for", () => {
  it.each([transferTopic, transferSingleTopic, transferBatchTopic, approvalTopic, approvalForAllTopic])(
    "are those of an event %s, in either case",
    (topic) => {
      expect(tokensOf([log(token, topic)])).toEqual([token]);
      expect(tokensOf([log(token, topic.toUpperCase().replace("0X", "0x"))])).toEqual([token]);
      expect(tokensOf([log(usdc, topic)])).toEqual([]);
    },
  );

  it("are of no other log", () => {
    expect(tokensOf([log(token, `0x${"1".repeat(64)}`), log(token), log("0x12", transferTopic)])).toEqual([]);
  });

  it("are those that name a principal first, each once", () => {
    const logs = [
      log(made(1), transferTopic),
      log(made(2), transferTopic, word(bob), word(alice)),
      log(made(1), transferTopic),
    ];
    expect(tokensOf(logs)).toEqual([made(2), made(1)]);
    expect(tokensOf(logs, { principals: [] })).toEqual([made(1), made(2)]);
    expect(tokensOf([...logs, log(made(1), transferTopic, word(alice))])).toEqual([made(2), made(1)]);
    const upper = log(made(3), transferTopic, word(alice).toUpperCase().replace("0X", "0x"));
    expect(tokensOf([log(made(1), transferTopic), upper])).toEqual([made(3), made(1)]);
  });

  it("are those of allowances that another contract keeps", () => {
    expect(tokensOf([log(manager, grantTopic, word(token))])).toEqual([token]);
    expect(tokensOf([log(vault, grantTopic, word(token))])).toEqual([]);
    expect(tokensOf([log(manager, grantTopic, word(usdc))])).toEqual([]);
    expect(tokensOf([log(manager, grantTopic, word(token))], { grants: [grantEvent(null)] })).toEqual([]);
    const two = [grantEvent(2, [vault]), grantEvent(2)];
    expect(tokensOf([log(manager, grantTopic, word(token))], { grants: two })).toEqual([token]);
    const both = log(manager, approvalTopic, word(alice), word(bob));
    expect(tokensOf([both])).toEqual([manager]);
  });

  it("are no more than the limit", () => {
    const logs = Array.from({ length: limits.tokensMax + 1 }, (_, i) => log(made(i + 1), transferTopic));
    expect(tokensOf(logs)).toEqual(logs.slice(0, limits.tokensMax).map(({ address }) => address));
  });
});

describe("supplies that are asked for", () => {
  it("are of tokens that were allowed: the principals' listed ones, their others, anybody's", () => {
    const logs = [approval(made(1), bob), approval(made(2), alice), approval(usdc, alice), approval(weth, bob)];
    expect(planned({ logs }).reads).toEqual(
      [usdc, made(2), made(1), weth].map((to) => ({ to, data: totalSupplySelector })),
    );
  });

  it("are of ERC-20 approvals and of allowances that another contract keeps", () => {
    expect(
      suppliesOf([
        { ...approval(token, alice), topics: [...approval(token, alice).topics, word(bob) as `0x${string}`] },
      ]),
    ).toEqual([]);
    expect(suppliesOf([log(token, approvalTopic, word(alice))])).toEqual([]);
    expect(suppliesOf([log(token, transferTopic, word(alice), word(bob))])).toEqual([]);
    expect(suppliesOf([log("0x12", approvalTopic, word(alice), word(bob))])).toEqual([]);
    expect(suppliesOf([log(manager, grantTopic, word(token)), log(manager, grantTopic, word(token))])).toEqual([token]);
    expect(suppliesOf([log(token, approvalTopic.toUpperCase().replace("0X", "0x"), word(alice), word(bob))])).toEqual([
      token,
    ]);
    expect(suppliesOf([log(token)])).toEqual([]);
    const upper = {
      ...approval(made(2), alice),
      topics: approval(made(2), alice).topics.map((one) => one.toUpperCase().replace("0X", "0x")),
    };
    expect(suppliesOf([approval(made(1), bob), upper as RpcLog])).toEqual([made(2), made(1)]);
  });

  it("are no more than sixteen", () => {
    const logs = Array.from({ length: 17 }, (_, i) => approval(made(i + 1), bob));
    expect(suppliesOf(logs)).toEqual(logs.slice(0, 16).map(({ address }) => address));
  });
});

const readOf = (hash: string) => ({ hash });
const member = (...proofs: object[]) => ({ proofs }) as never;
const listed = (hash: string) => ({ kind: "registry", registry, read: readOf(hash) });
const asked = (hash: string, address: Address) => ({ to: registry, data: `${hash}${word(address).slice(2)}` });
const proof = (...proofs: object[]) => ({ kind: "proof", member: member(...proofs) });

describe("reads that prove a membership", () => {
  const topic = `0x${"5".repeat(64)}`;
  const eventRule = (gate: object) => ({ anchor: { kind: "event", gate } });
  const callRule = (gate: object) => ({ anchor: { kind: "call", gate } });
  const byTopic: World["byTopic"] = [[topic, [eventRule(proof(listed("0xaa")))]]];

  it("are of contracts that emitted what a rule reads, those involved first", () => {
    const logs = [log(made(1), topic), log(made(2), topic), log(made(1), topic)];
    expect(planned({ logs, byTopic }).reads).toEqual([asked("0xaa", made(1)), asked("0xaa", made(2))]);
    expect(planned({ logs, byTopic, involved: [made(2)] }).reads).toEqual([
      asked("0xaa", made(2)),
      asked("0xaa", made(1)),
    ]);
    expect(planned({ logs: [log(made(1), topic.toUpperCase().replace("0X", "0x"))], byTopic }).reads).toHaveLength(1);
  });

  it("are of no contract with a name, and by no rule of another kind", () => {
    expect(
      planned({ logs: [log(carol, topic), log("0x12", topic), log(made(1)), log(made(1), grantTopic)], byTopic }).reads,
    ).toEqual([]);
    const logs = [log(made(1), topic)];
    expect(planned({ logs, byTopic: [[topic, [callRule(proof(listed("0xaa")))]]] }).reads).toEqual([]);
    expect(planned({ logs, byTopic: [[topic, [eventRule({ kind: "any" })]]] }).reads).toEqual([]);
    const either = { kind: "either", gates: [proof(listed("0xaa")), proof(listed("0xbb"))] };
    expect(planned({ logs, byTopic: [[topic, [eventRule(either)]]] }).reads).toEqual([
      asked("0xaa", made(1)),
      asked("0xbb", made(1)),
    ]);
  });

  it("are of the called contract before others", () => {
    const bySelector: World["bySelector"] = [
      ["0xabcdef12", [callRule(proof(listed("0xcc")))]],
      ["", [callRule(proof(listed("0xdd")))]],
    ];
    const called = (transaction: object, logs: RpcLog[] = []) =>
      planned({ transaction, logs, byTopic, bySelector }).reads;
    const input = "0xABCDEF1200";
    expect(called({ input }, [log(made(1), topic)])).toEqual([asked("0xcc", vault), asked("0xaa", made(1))]);
    expect(called({ input, to: null })).toEqual([]);
    expect(called({ input, to: carol })).toEqual([]);
    expect(called({ input: undefined })).toEqual([asked("0xdd", vault)]);
    const other: World["bySelector"] = [["0xabcdef12", [eventRule(proof(listed("0xcc")))]]];
    expect(planned({ transaction: { input }, bySelector: other }).reads).toEqual([]);
  });

  it("are those of each proof, no more than the limit", () => {
    const own = { kind: "create2", reads: [readOf("0x01"), readOf("0x02")] };
    expect(membersReads([member(listed("0xaa"), own), member({ kind: "created" }, listed("0xbb"))], bob)).toEqual([
      asked("0xaa", bob),
      { to: bob, data: "0x01" },
      { to: bob, data: "0x02" },
      asked("0xbb", bob),
    ]);
    const many = Array.from({ length: limits.readsMax + 1 }, (_, i) => listed(`0x${i.toString(16).padStart(8, "0")}`));
    expect(membersReads([member(...many)], bob)).toHaveLength(limits.readsMax);
    expect(membersReads([], bob)).toEqual([]);
    expect(membersReads([member(listed("0xaa")), member(listed("0xaa"))], bob)).toHaveLength(1);
  });
});

describe("tokens that actions name", () => {
  it("are those of amounts, tokens and NFTs, but for stand-ins of ether", () => {
    const get = (value: unknown) => () => value;
    const captures = [
      { kind: "token", get: get(usdc) },
      { kind: "amount", token: get(token), get: get(bob) },
      { kind: "nft", token: get(weth), get: get(bob) },
      { kind: "address", get: get(bob), token: get(bob) },
      { kind: "token", get: get(undefined) },
      { kind: "amount", token: get(`0x${"0".repeat(40)}`) },
      { kind: "list", items: [{ kind: "token", get: get(vault) }] },
    ];
    const action = { rule: { captures: new Map(captures.map((one, i) => [String(i), one])) }, context: {} };
    expect(namedTokens([action, action] as never)).toEqual([usdc, token, weth, vault, usdc, token, weth, vault]);
    expect(namedTokens([])).toEqual([]);
  });
});
