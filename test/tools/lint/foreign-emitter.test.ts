import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { untrustedAt } from "../../../src/tools/lint/examples/untrusted.ts";
import { foreignEmitters } from "../../../src/tools/lint/mutation/foreign-emitter.ts";

const [pool, desk, alice, bob] = ["1", "2", "a", "b"].map((digit) => toAddress(`0x${digit.repeat(40)}`)) as never as [
  ...[`0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`],
];
const upper = (address: string) => address.toUpperCase().replace("0X", "0x");
const topic = `0x${"ab".repeat(32)}`;
const set = (...addresses: string[]) => ({ kind: "set", addresses: new Set(addresses) });
const moved = { kind: "moved" };
const any = { kind: "any" };
const names: Record<string, string> = {};
for (const [name, address] of Object.entries({ pool, desk, alice, bob })) names[address.slice(2)] = name;
for (const i of [0, 1]) names[untrustedAt(i).slice(2)] = `stranger${i}`;

/** A text with names instead of addresses. */
const named = (value: unknown) =>
  JSON.stringify(value).replace(
    new RegExp(`(?:0x)?(${Object.keys(names).join("|")})`, "gi"),
    (_, one: string) => names[one.toLowerCase()] as string,
  );

const log = (address: string, ...topics: string[]) => ({ address, topics, data: `0x${desk.slice(2)}` });
const logs = [log(upper(pool), topic.toUpperCase().replace("0X", "0x")), log(desk, topic), log(pool, "0x01")];
const event = (gate: object, companion: object | null = null) => {
  return { kind: "event", event: { name: "Paid", hash: topic }, gate, companion };
};

interface Given {
  absorbs?: object[];
  context?: object;
  movements?: object[];
  to?: string;
}

function forged(anchor: object, { absorbs = [], context = {}, movements = [], to = pool }: Given = {}) {
  const gates = {
    admits: (gate: { addresses?: Set<string> }, address: string) => gate.addresses?.has(address) ?? true,
  };
  const original = {
    caseFile: {
      transaction: { from: alice, to, input: `0x12345678${desk.slice(2)}` },
      receipt: { status: "0x1", logs },
      trace: { source: "none" },
    },
    trial: {
      tx: {
        logs: logs.map((one) => ({
          ...one,
          address: one.address.toLowerCase(),
          topics: one.topics.map((text) => text.toLowerCase()),
        })),
        movements,
      },
      gates,
    },
    candidate: {
      rule: { id: "a/pay", anchor, absorbs },
      context: { subject: alice, call: null, log: { index: 0 }, move: null, ...context },
    },
  };
  return foreignEmitters(original as never);
}

/** The forged case in short: emitters and their data, then the called contract and the calldata. */
const told = (...given: Parameters<typeof forged>) =>
  forged(...given).map(({ kind, change, caseFile: { transaction, receipt } }) => {
    expect(kind).toBe("foreign-emitter");
    const emitters = receipt.logs.map(({ address, data }) => named([address, data]).replace(/["[\]]/g, ""));
    return [change, emitters.join(" "), named([transaction.to, transaction.input]).replace(/["[\]]/g, "")];
  });

const [own, plain] = ["pool,desk desk,desk pool,desk", "pool,0x12345678desk"];
const [elsewhere, retargeted, copied] = [
  "Paid comes from an untrusted contract",
  "the call goes to an untrusted contract",
  "an untrusted copy of the contract",
];

describe("an event from elsewhere", () => {
  const emitted = [elsewhere, "stranger0,desk desk,desk pool,desk", plain];
  const copy = [copied, "stranger0,desk desk,desk stranger0,desk", "stranger0,0x12345678desk"];

  it("comes from a stranger, or the whole contract is a copy", () => {
    expect(told(event(set(pool)))).toEqual([emitted, copy]);
  });

  it("is no copy where any contract will do", () => {
    const both = "stranger0,desk stranger1,desk pool,desk";
    expect(told(event(any))).toEqual([[elsewhere, both, plain]]);
    expect(told(event(set(pool)), { absorbs: [{ gate: any }] })).toEqual([emitted]);
    expect(told(event(set(pool), { gate: any }))).toEqual([emitted]);
    expect(told(event(set(pool)), { absorbs: [{ gate: set(pool) }] })).toEqual([emitted, copy]);
  });

  it("is beside a call that goes to a stranger", () => {
    const companion = { gate: set(desk) };
    const context = { call: { to: desk } };
    expect(told(event(set(pool), companion), { context })).toEqual([
      emitted,
      [retargeted, own, "pool,0x12345678stranger0"],
      [copied, "stranger0,stranger1 stranger1,stranger1 stranger0,stranger1", "stranger0,0x12345678stranger1"],
    ]);
    expect(told(event(set(pool)), { context })).toEqual([emitted, copy]);
    expect(told(event(set(pool), companion), { context: { call: { to: bob } } }).map(([change]) => change)).toEqual([
      ...[elsewhere, copied],
    ]);
  });

  it("is a token's own where it states its own movement", () => {
    const movements = [{ log: 5 }, { log: 0 }];
    expect(told(event(moved), { movements })).toEqual([]);
    expect(told(event(moved), { movements: movements.slice(0, 1) }).map(([change]) => change)).toEqual([elsewhere]);
    expect(told(event(moved), { movements, context: { log: null } }).map(([change]) => change)).toEqual([elsewhere]);
    expect(told(event(set(pool)), { movements }).map(([change]) => change)).toEqual([elsewhere, copied]);
  });
});

describe("a call, and a movement, of strangers", () => {
  it("goes to a stranger, or to a copy", () => {
    const call = { kind: "call", gate: set(pool) };
    expect(told(call, { context: { call: { to: pool } } })).toEqual([
      [retargeted, own, "stranger0,0x12345678desk"],
      [copied, "stranger0,desk desk,desk stranger0,desk", "stranger0,0x12345678desk"],
    ]);
    expect([told(call), told(call, { context: { call: { to: null } } })]).toEqual([[], []]);
  });

  it("is between strangers, or of a stranger's token", () => {
    const transfer = { kind: "transfer", from: set(desk), to: any };
    const move = { from: desk, to: bob, token: pool };
    const parties = [copied, "pool,stranger0 stranger0,stranger0 pool,stranger0", "pool,0x12345678stranger0"];
    expect(told(transfer, { context: { move } })).toEqual([
      parties,
      ["an untrusted token says so", "stranger0,desk desk,desk stranger0,desk", plain],
    ]);
    expect(told(transfer, { context: { move: { ...move, token: null } } })).toEqual([parties]);
    expect(told(transfer)).toEqual([]);
    expect([told({ kind: "none" }), told({ kind: "authorization" })]).toEqual([[], []]);
  });
});

describe("what is made of a stranger's word", () => {
  const anchor = { kind: "call", gate: set(pool) };
  const judge = (...actions: object[]) =>
    forged(anchor, { context: { call: { to: pool } } })[0]?.judge({ trial: { actions } } as never);
  const stranger = untrustedAt(0);
  const action = (
    id: string,
    more: { tier?: Parameters<typeof tierRank>[0]; gate?: object; context?: object } = {},
  ) => ({
    rule: {
      id,
      tier: tierRank(more.tier ?? "protocol"),
      anchor: { kind: "call", gate: more.gate ?? set(stranger), call: {} },
    },
    context: { subject: bob, log: null, call: { to: stranger }, ...more.context },
  });

  it("must not be the rule, nor another one that believes it", () => {
    expect([judge(), judge(action("a/pay", { context: { call: { to: pool } } }))]).toEqual([null, null]);
    expect(judge(action("a/pay", { context: { subject: alice } }))).toBe("the rule still stands");
    expect(judge(action("b/got"))).toBe("b/got believes the untrusted contract");
    expect(judge(action("b/got", { context: { log: { address: stranger }, call: null } }))).toBe(
      "b/got believes the untrusted contract",
    );
    expect(judge(action("b/got", { context: { log: { address: pool } } }))).toBeNull();
    expect(judge(action("b/got", { context: { call: null } }))).toBeNull();
    expect(judge(action("b/got", { tier: "flow" }))).toBeNull();
    expect(judge(action("b/got", { gate: any }))).toBeNull();
    expect(judge(action("b/got", { context: { subject: alice } }), action("a/pay"))).toContain("b/got believes");
  });
});
