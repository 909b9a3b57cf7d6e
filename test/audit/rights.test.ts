import { describe, expect, it } from "vitest";
import { findControlChanges } from "../../src/audit/facts/control.ts";
import type { CallStep, EmittedLog, Move } from "../../src/audit/facts/facts.ts";
import { keyOfLog } from "../../src/audit/facts/read-facts.ts";
import { findRights, type Right } from "../../src/audit/facts/rights.ts";
import { controlEvents, events, spendingCalls } from "../../src/audit/facts/signatures.ts";
import type { Knowledge } from "../../src/audit/knowledge.ts";
import { auditControl, auditRights } from "../../src/audit/laws/power.ts";
import { type Address, checksum, shorten, toAddress, zeroAddress } from "../../src/kernel/address.ts";
import type { RpcLog } from "../../src/model/case-file.ts";
import type { CheckStatus, Explanation } from "../../src/model/explanation.ts";
import { alice, bob, carol, caseOf, logOf, token, usdc, vault } from "../support/case-of.ts";
import { acme, dora, entry, known, moveOf, type SceneParts, sceneOf, stepsOf } from "./made-scene.ts";

const permit2 = toAddress(`0x${"22".repeat(20)}`);
const knowledge: Knowledge = { ...known, isPermit2: (address) => address === permit2 };
const word = (value: bigint | number | string) =>
  (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0");
const topicOf = (value: bigint | number | string) => `0x${word(value)}`;
const log = (address: Address, topics: string[], ...words: (bigint | number | string)[]): RpcLog =>
  ({ address, topics, data: `0x${words.map(word).join("")}` }) as RpcLog;
const approval = (amount: bigint, { owner = alice, spender = bob, at = usdc } = {}) =>
  log(at, [events.approval, topicOf(owner), topicOf(spender)], amount);
const read = (logs: RpcLog[]): EmittedLog[] =>
  logs.map(({ address, topics, data }, index) => ({ index, address: toAddress(address), topics, data }));
const spend = [...spendingCalls][0] as string;

function rights(logs: RpcLog[], parts: SceneParts & { by?: [RpcLog, CallStep][] } = {}): Right[] {
  const byLog = new Map((parts.by ?? []).map(([one, step]) => [keyOfLog(one as never), [step]]));
  const scene = sceneOf({ ...parts, facts: { logs: read(logs), byLog, traced: false, ...parts.facts } });
  return findRights(scene.facts, scene.principals, knowledge);
}
const right = (parts: Partial<Right> = {}): Right => {
  return { owner: alice, spender: bob, token: usdc, left: 5n, log: 0, certain: true, ...parts };
};
const moved = (amount: bigint, at: number, from = alice): Move => ({ ...moveOf(usdc, from, carol, amount), log: at });

describe("rights that stand at the end", () => {
  it("are what the last log of each owner, spender and token says", () => {
    expect(rights([approval(5n)])).toEqual([right()]);
    expect(rights([approval(5n), approval(7n)])).toEqual([right({ left: 7n, log: 1 })]);
    expect(rights([approval(5n), approval(0n)])).toEqual([]);
    const others = [approval(5n), approval(6n, { spender: carol }), approval(7n, { at: token })];
    expect(rights(others)).toEqual([
      right(),
      right({ spender: carol, left: 6n, log: 1 }),
      right({ token, left: 7n, log: 2 }),
    ]);
    expect(rights([approval(5n, { owner: dora }), approval(5n, { spender: alice })])).toEqual([]);
  });

  it("are less by what left the owner afterwards", () => {
    const since = (...moves: Move[]) =>
      rights([approval(5n)], { moves, by: [[approval(5n), stepsOf({})[0] as CallStep]] });
    expect(since(moved(2n, 1), moved(2n, 2))).toEqual([right({ left: 1n })]);
    expect(since(moved(5n, 1))).toEqual([]);
    expect(since(moved(6n, 1))).toEqual([]);
    expect(since(moved(2n, 0), moved(2n, 3, dora))).toEqual([right()]);
    expect(since({ ...moveOf(token, alice, carol, 2n), log: 1 })).toEqual([right()]);
  });

  it("are over a collection, one NFT, or nothing where the log is cut", () => {
    const all = (...words: number[]) => log(token, [events.approvalForAll, topicOf(alice), topicOf(bob)], ...words);
    const one = (spender: string) => log(token, [events.approval, topicOf(alice), topicOf(spender), topicOf(7)]);
    expect(rights([all(1)])).toEqual([right({ token, left: 1n })]);
    expect(rights([all(1), all(0)])).toEqual([]);
    expect(rights([all()])).toEqual([]);
    expect(rights([{ ...all(1), topics: [...all(1).topics, topicOf(1) as `0x${string}`] }])).toEqual([]);
    expect(rights([one(bob)])).toEqual([right({ token, left: 1n })]);
    expect(rights([one(bob), one(carol)])).toEqual([right({ token, spender: carol, left: 1n, log: 1 })]);
    expect(rights([one(bob), one(zeroAddress)])).toEqual([]);
    // Rights over all of a collection and over one of it stand beside each other.
    expect(rights([all(1), one(bob), approval(5n, { at: token })])).toHaveLength(3);
    expect(rights([{ ...approval(5n), data: "0x05" }])).toEqual([]);
    expect(rights([{ ...approval(5n), topics: approval(5n).topics.slice(0, 2) }])).toEqual([]);
    expect(rights([log(usdc, [events.wrapped, topicOf(alice), topicOf(bob)], 5n)])).toEqual([]);
    const noAddress = `0x${"f".repeat(64)}` as const;
    for (const at of [1, 2]) {
      const broken = { ...approval(5n), topics: approval(5n).topics.with(at, noAddress) };
      expect(rights([broken])).toEqual([]);
    }
  });

  it("are what Permit2 recorded until a time", () => {
    const time = BigInt(caseOf().block.timestamp ?? 0);
    const given = (amount: bigint, until: bigint, topic: string = events.permit2Approval, at = permit2) =>
      log(at, [topic, topicOf(alice), topicOf(usdc), topicOf(bob)], amount, until);
    for (const topic of [events.permit2Approval, events.permit2Permit])
      expect(rights([given(5n, time + 1n, topic)])).toEqual([right()]);
    expect(rights([given(5n, time)])).toEqual([]);
    expect(rights([given(5n, time + 1n), given(9n, time)])).toEqual([]);
    expect(rights([given(5n, time + 1n, events.permit2Lockdown)])).toEqual([]);
    expect(rights([given(5n, time + 1n, events.permit2Approval, vault)])).toEqual([]);
    expect(rights([given((1n << 160n) - 1n, (1n << 48n) - 1n)])).toEqual([right({ left: (1n << 160n) - 1n })]);
    expect(rights([given(1n << 160n, time + 1n)])).toEqual([]);
    expect(rights([given(5n, 1n << 48n)])).toEqual([]);
    const whole = given(5n, time + 1n);
    expect(rights([{ ...whole, data: whole.data.slice(0, -2) as `0x${string}` }])).toEqual([]);
    const late = given(5n, (1n << 48n) - 1n);
    expect(rights([{ ...late, data: late.data.slice(0, -2) as `0x${string}` }])).toEqual([]);
    for (const at of [1, 2, 3])
      expect(rights([{ ...whole, topics: whole.topics.with(at, `0x${"f".repeat(64)}`) }])).toEqual([]);
    const timeless = { block: { ...caseOf().block, timestamp: undefined } };
    expect(rights([given(5n, 1n)], { file: timeless as never })).toEqual([right()]);
    expect(rights([given(5n, 0n)], { file: timeless as never })).toEqual([]);
    // One of each token and spender.
    const beside = log(permit2, [events.permit2Permit, topicOf(alice), topicOf(token), topicOf(bob)], 6n, time + 1n);
    expect(rights([whole, beside])).toEqual([right(), right({ token, left: 6n, log: 1 })]);
  });
});

describe("rights that may be bookkeeping", () => {
  const moves = [moved(2n, 1)];

  it("are uncertain without a call tree where the owner's tokens moved beside", () => {
    expect(rights([approval(5n)], { moves })).toEqual([right({ certain: false })]);
    expect(rights([approval(5n)], { moves: [moved(2n, 1, dora)] })).toEqual([right()]);
    expect(rights([approval(5n)], { moves: [moved(2n, 1, dora), moved(2n, 1)] })).toEqual([right({ certain: false })]);
    expect(rights([approval(0n)], { moves })).toEqual([]);
    expect(rights([approval(5n)], { moves, facts: { traced: true } })).toEqual([]);
  });

  it("are none by a call that spends, and certain by any other", () => {
    const by = (...steps: Parameters<typeof stepsOf>) => {
      const made = stepsOf(...steps);
      return rights([approval(5n)], {
        steps: made,
        by: [[approval(5n), made.at(-1) as CallStep]],
        facts: { traced: true },
      });
    };
    expect(by({ to: usdc, selector: spend })).toEqual([]);
    expect(by({ to: usdc, selector: "0x12345678" })).toEqual([right()]);
    const proxy = { parent: 0, from: usdc, to: vault, type: "DELEGATECALL", selector: "0x12345678" };
    expect(by({ to: usdc, selector: spend }, proxy)).toEqual([]);
    expect(by({ to: usdc, selector: spend }, { ...proxy, to: usdc })).toEqual([]);
    expect(by({ to: vault, selector: spend }, proxy)).toEqual([right()]);
    expect(by({ to: usdc, selector: "0x12345678" }, { ...proxy, selector: spend })).toEqual([right()]);
  });

  it("say what is left of a grant before them", () => {
    const [grant, books] = [approval(5n), approval(3n)];
    const steps = stepsOf({ to: usdc, selector: "0x12345678" }, { to: usdc, selector: spend });
    const both = (logs: RpcLog[]) => {
      const by = [grant, books].map((one, i) => [one, steps[i]] as [RpcLog, CallStep]);
      return rights(logs, { steps, by, facts: { traced: true } });
    };
    expect(both([grant, books])).toEqual([right({ left: 3n, log: 0 })]);
    expect(both([books, grant])).toEqual([right({ left: 5n, log: 1 })]);
    expect(both([books, books])).toEqual([]);
  });
});

const open = { contract_verification: "partial", first_interaction: "partial", drainer_blacklist: "partial" } as const;

describe("law 5 says", () => {
  const judge = (given: Right[], answer: Partial<Explanation> = {}, checks: Record<string, CheckStatus> = open) =>
    auditRights(
      sceneOf({
        scene: { rights: given },
        summary: "x",
        answer: { checks: { ...checks, unchecked_addresses: [], note: null } as never, ...answer },
      }),
    );
  const whose = (of: Address, owner = alice, left = 5) =>
    `${checksum(bob)} may take ${left} units of ${checksum(of)} from ${checksum(owner)}`;
  const end = ", and neither the summary nor a flag tells it.";
  const sentences = (...args: Parameters<typeof judge>) => judge(...args).map(({ sentence }) => sentence);

  it("each right over a listed token, then strangers' tokens by owner", () => {
    expect(judge([right()])).toEqual([{ law: 5, sentence: `${whose(usdc)}${end}` }]);
    const strangers = [right({ token }), right({ token: vault }), right({ token, owner: dora }), right()];
    expect(sentences(strangers)).toEqual([
      `${whose(usdc)}${end}`,
      `${whose(token)} (and 1 more such rights over strangers' tokens)${end}`,
      `${whose(token, dora)}${end}`,
    ]);
    expect(sentences(strangers, { partial: true })).toEqual([`${whose(usdc)}${end}`]);
    expect(sentences(strangers, { summary: `for ${shorten(bob)}` })).toEqual([]);
  });

  it("an uncertain right only where all checks claim all and nothing is missing", () => {
    const maybe = [right({ certain: false })];
    const ok = { contract_verification: "ok", first_interaction: "ok", drainer_blacklist: "not_applicable" } as const;
    expect(sentences(maybe, {}, ok)).toEqual([`${whose(usdc)}${end}`]);
    expect(sentences(maybe, {}, open)).toEqual([]);
    for (const check of Object.keys(ok)) expect(sentences(maybe, {}, { ...ok, [check]: "partial" })).toEqual([]);
    expect(sentences(maybe, { partial: true }, ok)).toEqual([]);
  });
});

describe("changes of control", () => {
  const changes = (logs: RpcLog[], parts: SceneParts = {}) => {
    const scene = sceneOf({ ...parts, facts: { ...parts.facts, logs: read(logs) } });
    return findControlChanges(scene.facts, scene.principals, known);
  };
  const added = logOf(alice, "event AddedOwner(address owner)", { owner: bob });
  const change = { of: alice, what: "an owner was added", party: bob, number: undefined };

  it("are what an account of a principal reports of itself", () => {
    expect(changes([added])).toEqual([change]);
    expect(changes([{ ...added, address: dora }])).toEqual([]);
    expect(changes([log(alice, [events.wrapped])])).toEqual([]);
    expect(changes([log(alice, [])])).toEqual([]);
    const indexed = [{ ...added, topics: [...added.topics, topicOf(carol) as `0x${string}`] }];
    expect(changes(indexed)).toEqual([{ ...change, party: carol }]);
    expect(changes([{ ...added, data: `0x${"f".repeat(64)}` }])).toEqual([{ ...change, party: undefined }]);
    expect(changes([{ ...added, data: "0x" }])).toEqual([{ ...change, party: undefined }]);
  });

  it("have the argument that each event shows", () => {
    const args = [toAddress(`0x${"1".repeat(40)}`), carol, dora, acme].map((one) => word(one));
    const found = [...controlEvents].map(([topic, { previousOwner }]) => {
      if (previousOwner) return null;
      const [one] = changes([{ address: alice, topics: [topic], data: `0x${args.join("")}` } as RpcLog]);
      return [one?.what, one?.party ?? one?.number];
    });
    const first = `0x${"1".repeat(40)}`;
    expect(found).toEqual([
      ["an owner was added", first],
      ["an owner was removed", first],
      ["the number of signatures was changed", BigInt(first)],
      ["a module was enabled", first],
      ["a module was disabled", first],
      ["the guard was changed", first],
      ["the module guard was changed", first],
      ["the fallback handler was changed", first],
      ["an owner was added", acme],
      ["an owner was removed", acme],
      ["a module was installed", carol],
      ["a module was removed", carol],
      ["the code was replaced", first],
      null,
    ]);
  });

  it("are of a contract whose owner was a principal that called it", () => {
    const signature = "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)";
    const given = logOf(vault, signature, { previousOwner: alice, newOwner: bob });
    const called = stepsOf({ from: dora, to: vault }, { from: alice, to: vault });
    const own = [{ of: vault, what: "the ownership was given away", party: bob, number: undefined }];
    expect(changes([given], { steps: called })).toEqual(own);
    for (const step of [{ from: dora }, { to: token }, { type: "DELEGATECALL" }])
      expect(changes([given], { steps: stepsOf({ from: alice, to: vault, ...step }) })).toEqual([]);
    expect(changes([given], { steps: called, principals: [[dora, "sender"]] })).toEqual([]);
    expect(changes([{ ...given, topics: given.topics.slice(0, 2) }], { steps: called })).toEqual([]);
    const nobody = { ...given, topics: given.topics.with(1, `0x${"f".repeat(64)}`) };
    expect(changes([nobody], { steps: called })).toEqual([]);
  });

  it("are none while the account is being made", () => {
    const before = log(entry, [events.beforeExecution]);
    const made = log(entry, [events.accountDeployed, topicOf(1), topicOf(alice)]);
    const make = stepsOf({ from: dora, to: alice, type: "CREATE2" });
    expect(changes([added, before])).toEqual([]);
    expect(changes([before, added])).toEqual([change]);
    expect(changes([before, added], { steps: make })).toEqual([change]);
    expect(changes([added], { steps: make })).toEqual([]);
    expect(changes([added], { steps: stepsOf({ from: dora, to: alice }) })).toEqual([change]);
    expect(changes([added], { steps: stepsOf({ from: dora, to: bob, type: "CREATE" }) })).toEqual([change]);
    expect(changes([added], { steps: [...make, ...stepsOf({})] })).toEqual([]);
    expect(changes([added, made])).toEqual([]);
    expect(changes([made, added, before])).toEqual([change]);
    for (const other of [
      { ...made, address: vault },
      { ...made, topics: made.topics.with(2, topicOf(bob) as never) },
    ])
      expect(changes([added, other])).toEqual([change]);
    expect(changes([added, { ...before, address: vault }])).toEqual([change]);
    expect(changes([added, log(entry, [events.userOperation, topicOf(1), topicOf(alice)])])).toEqual([change]);
  });

  it("are told by the new controller, the new number, or their kind", () => {
    const judge = (parts: object, summary: string, partial = false) =>
      auditControl(sceneOf({ summary, answer: { partial }, scene: { controls: [{ ...change, ...parts }] } })).map(
        ({ law, sentence }) => [law, sentence],
      );
    const says = (rest: string) => [[6, `At ${checksum(alice)} ${rest}, and the summary does not tell it.`]];
    const owner = says(`an owner was added (${checksum(bob)})`);
    expect(judge({}, "added an owner")).toEqual(owner);
    expect(judge({}, `added ${shorten(bob)}`)).toEqual([]);
    expect(judge({}, "made 2 more changes of control", true)).toEqual([]);
    expect(judge({}, "made 2 more changes of control")).toEqual(owner);
    const count = { party: undefined, number: 3n, what: "the number of signatures was changed" };
    expect(judge(count, "now 3")).toEqual([]);
    expect(judge(count, "now 33 owners")).toEqual(says("the number of signatures was changed"));
    const key = { party: undefined };
    expect(judge(key, "An OWNER came")).toEqual([]);
    expect(judge(key, "a module came")).toEqual(says("an owner was added"));
    expect(judge({ party: zeroAddress, what: "the guard was changed" }, "no guard")).toEqual([]);
    expect(judge({ party: zeroAddress, what: "the guard was changed" }, "x")).toEqual(
      says(`the guard was changed (${checksum(zeroAddress)})`),
    );
  });
});
