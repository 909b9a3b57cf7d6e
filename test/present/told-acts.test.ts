import { describe, expect, it } from "vitest";
import type { Address } from "../../src/kernel/address.ts";
import { toAddress } from "../../src/kernel/address.ts";
import { unlimitedThreshold } from "../../src/kernel/amount.ts";
import { AssetNames } from "../../src/present/amounts/asset-names.ts";
import { FlowPhrases } from "../../src/present/amounts/flow-phrases.ts";
import { spentGrants, tellGrants } from "../../src/present/given/grants.ts";
import { tellPayees } from "../../src/present/given/payees.ts";
import { tellMissing } from "../../src/present/reasons/missing.ts";
import { countLogs, isIdle } from "../../src/present/told.ts";
import { distinctActs } from "../../src/present/told-act.ts";
import type { CompiledCapture } from "../../src/ruleset/compiled.ts";
import { alice, bob, carol, caseOf, usdc, vault, weth, zero } from "../support/case-of.ts";
import { nameOf as labelOf, labelsOf, shippedLabels } from "../support/labels.ts";
import { shippedTeller } from "../support/wording.ts";

const teller = shippedTeller();
const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
const names = new AssetNames(caseOf(), shippedLabels(), policy, teller);

describe("an action in words", () => {
  const asked: unknown[] = [];
  const writer = {
    write: (does: string, told: { form: string; also?: unknown }) => {
      asked.push({ does, form: told.form, also: told.also });
      if (does.startsWith("?")) return undefined;
      return { text: `${does} ${told.form}`, untrusted: does === "odd", amounts: [{ key: "native", amount: 1n }] };
    },
  };
  const types = new Map([
    ["claim", { does: "claim it" }],
    ["other", { does: "?" }],
  ]);
  const also = new Map([["call", { text: "x", untrusted: false }]]);
  const action = (does: string, more: object = {}, context: object = { subject: alice }) => ({
    rule: { does, action: "claim", status: "success", by: null, carries: null, protocol: null, ...more },
    context,
    logs: [],
  });
  const tell = (actions: object[], tools: object = {}) =>
    distinctActs(actions as never, { types, writer, teller, alsoOf: () => also, ...tools } as never);
  const one = (does: string, more: object = {}, tools: object = {}) => {
    const [act] = tell([action(does, more)], tools);
    return { ...act, rule: undefined, context: undefined };
  };
  const whole = {
    ...{ rule: undefined, context: undefined },
    account: alice,
    subject: teller.short(alice),
    untrusted: false,
  };
  const amounts = [{ key: "native", amount: 1n }];

  it("has the form of what it is: done, tried or asked for", () => {
    const said = (text: string) => ({ ...whole, predicate: text, text, amounts });
    expect(one("pay")).toEqual(said("pay past"));
    expect(one("pay", { status: "reverted" })).toEqual(said("pay attempt"));
    expect(one("pay", { status: "reverted" }, { request: true })).toEqual(said("pay request"));
    expect(one("odd")).toEqual({ ...said("odd past"), untrusted: true });
    expect(one("pay", { by: "The chain" })).toEqual({ ...said("pay past"), account: null, subject: "The chain" });
  });

  it("has the words of its type where its sentence cannot be told, else those of any", () => {
    const said = (text: string, told: object[] = amounts) => ({ ...whole, predicate: text, text, amounts: told });
    expect(one("?")).toEqual(said("claim it past"));
    expect(one("?", { protocol: "Hub" })).toEqual(
      said(teller.say("summary.on_protocol", { act: "claim it past", protocol: "Hub" }).text),
    );
    const some = teller.words("summary.some_act");
    expect(one("?", { action: "other" })).toEqual(said(some, []));
    expect(one("?", { action: "none", protocol: "Hub" })).toEqual(
      said(teller.say("summary.on_protocol", { act: some, protocol: "Hub" }).text, []),
    );
  });

  it("tells the call that it holds where its rule does", () => {
    asked.length = 0;
    one("pay");
    one("pay", { carries: {} });
    one("pay", { carries: {} }, { alsoOf: () => undefined });
    expect(asked).toEqual([
      { does: "pay", form: "past", also: undefined },
      { does: "pay", form: "past", also },
      { does: "pay", form: "past", also: undefined },
    ]);
  });

  it("is told once where two read the same of one subject", () => {
    const told = tell([action("pay"), action("pay"), action("pay", {}, { subject: bob }), action("get")]);
    expect(told.map(({ subject, text }) => [subject, text])).toEqual([
      [teller.short(alice), "pay past"],
      [teller.short(bob), "pay past"],
      [teller.short(alice), "get past"],
    ]);
    const count = (...does: string[]) => tell(does.map((one) => action(one))).length;
    expect([count(), count("pay"), count("pay", "pay"), count("pay", "get")]).toEqual([0, 1, 1, 2]);
  });
});

describe("a number that says nothing", () => {
  const idle = (kind: string, value: unknown, form = "past") =>
    isIdle(
      { kind: "value", capture: "x", facet: null } as never,
      {
        rule: { captures: new Map([["x", { kind, get: () => value }]]) },
        ...{ context: {}, form },
      } as never,
    );
  const forever = 253_402_300_800n;

  it.each<[string, unknown, string, boolean]>([
    ["integer", 0n, "past", true],
    ["integer", 1n, "past", false],
    ["integer", unlimitedThreshold - 1n, "past", false],
    ["integer", unlimitedThreshold, "past", true],
    ["integer", forever, "request", false],
    ["integer", "0", "past", false],
    ["time", 0n, "request", true],
    ["time", 0n, "past", false],
    ["time", forever - 1n, "request", false],
    ["time", forever, "request", true],
    ["time", forever, "past", false],
    ["amount", 0n, "past", false],
    ["amount", 0n, "request", false],
  ])("is %s %s where it is told as %s: %j", (kind, value, form, expected) => {
    expect(idle(kind, value, form)).toBe(expected);
  });

  it("is no text, no verb and nothing that is not captured", () => {
    const told = { rule: { captures: new Map() }, context: {}, form: "past" } as never;
    expect([isIdle("x", told), isIdle({ kind: "value", capture: "x" } as never, told)]).toEqual([false, false]);
    const verb = {
      rule: { captures: new Map([["x", { kind: "integer", get: () => 0n }]]) },
      context: {},
      form: "past",
    };
    expect(isIdle({ kind: "verb", capture: "x" } as never, verb as never)).toBe(false);
  });
});

it("logs are counted that are of the gate, read, and fit", () => {
  const logs = [1, 2, 3, 4, undefined].map((n, i) => ({ address: i === 3 ? "0xno" : "0xyes", topics: [n], data: "" }));
  const context = { logsWith: () => logs, admits: (_gate: unknown, address: string) => address === "0xyes" };
  const event = { hash: "h", read: ([n]: (number | undefined)[]) => (n === undefined ? undefined : [n]) };
  const count = (where: unknown) =>
    countLogs(
      { kind: "count", event, gate: {}, where } as unknown as CompiledCapture & { kind: "count" },
      context as never,
    );
  expect([count(null), count(([n]: number[]) => (n as number) > 1)]).toEqual([3, 2]);
});

describe("rights that nothing tells", () => {
  const words = { names, teller, nameOf: (address: Address) => (address === bob ? "Bob" : "?"), isSpent: () => false };
  const grant = (more: object = {}) => ({
    ...{ owner: alice, token: usdc, grantee: bob, amount: 5_000_000n, stands: true, uncertain: false, logs: [3] },
    ...more,
  });
  const tell = (
    grants: object[],
    { actions = [], findings = [], ...more }: { actions?: object[]; findings?: object[]; isSpent?: () => boolean } = {},
  ) => tellGrants({ grants, findings } as never, actions as never, { ...words, ...more } as never);
  const said = {
    account: alice,
    predicate: teller.say("summary.allowed", { spender: "Bob", amount: { text: "5 USDC", untrusted: false } }),
  };

  it("are told of their owners", () => {
    expect(tell([])).toEqual([]);
    expect(tell([grant(), grant({ owner: carol })])).toEqual([said, { ...said, account: carol }]);
  });

  it.each<[string, object, object]>([
    ["an act rests on its log", {}, { actions: [{ logs: [1, 3] }] }],
    ["a flag rests on its log", {}, { findings: [{ flag: "x", evidence: ["log 3"] }] }],
    ["it is of all tokens", { amount: null }, {}],
    ["it is of nothing", { amount: 0n }, {}],
    ["it ended", { stands: false }, {}],
    ["it may be the rest of an older one", { uncertain: true }, {}],
    ["it was used up", {}, { isSpent: () => true }],
  ])("are not those of which %s", (_case, more, parts) => {
    expect(tell([grant(more)], parts)).toEqual([]);
  });

  it("are told beside acts and flags about other logs", () => {
    const findings = [
      { flag: null, evidence: ["log 3"] },
      { flag: "x", evidence: ["log 33", "call 3"] },
    ];
    expect(tell([grant()], { actions: [{ logs: [1] }], findings })).toEqual([said]);
    expect(tell([grant({ amount: 1n })])).toHaveLength(1);
  });
});

describe("an allowance that was used up", () => {
  const labels = labelsOf({ names: [labelOf(vault, "Vault")] });
  const move = (amount: bigint, log: number, more: object = {}) => ({
    index: 0,
    from: alice,
    to: bob,
    token: usdc,
    amount,
    log,
    ...more,
  });
  const spent = (moves: object[], more: object = {}, traced = false) =>
    spentGrants(
      { movements: moves.map((one, index) => ({ ...one, index })), traced } as never,
      labels,
    )({
      ...{ kind: "managed", owner: alice, token: usdc, grantee: vault, amount: 5n, logs: [1, 3] },
      ...more,
    } as never);

  it.each<[string, boolean, Parameters<typeof spent>]>([
    ["all of it was given after", true, [[move(5n, 4)]]],
    ["in parts", true, [[move(2n, 4), move(3n, 9)]]],
    ["less", false, [[move(4n, 4)]]],
    ["more", false, [[move(6n, 4)]]],
    ["at its own log", false, [[move(5n, 3)]]],
    ["without a log", true, [[move(5n, 0)], { logs: [] }]],
    ["before all logs", false, [[move(5n, -1)], { logs: [] }]],
    ["another token", false, [[move(5n, 4, { token: weth })]]],
    ["the other way", false, [[move(5n, 4, { from: bob, to: alice })]]],
    ["with a call tree", false, [[move(5n, 4)], {}, true]],
    ["of another kind", false, [[move(5n, 4)], { kind: "erc20" }]],
    ["of all tokens", false, [[], { amount: null }]],
    ["to somebody without a name", false, [[move(5n, 4)], { grantee: bob }]],
  ])("%s: %j", (_case, expected, given) => {
    expect(spent(...given)).toBe(expected);
  });
});

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
  interface Parts {
    moves?: object[];
    tx?: object;
    flow?: object;
    isSaid?: (name: string) => boolean;
    nameOf?: (address: Address) => string;
  }
  const tell = ({
    moves = [given, move(vault, stranger, 2_000_000n)],
    tx = {},
    flow = {},
    isSaid = () => false,
    nameOf = teller.short,
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
      ...{ subject: alice, flow: { gives: [{ key: weth, token: weth }], gets: [], complete: true, ...flow } },
    };
    return tellPayees({ context } as never, isSaid, { names, teller, nameOf }).map(({ predicate }) => predicate.text);
  };
  const said = (text: string) =>
    teller.say("summary.had_paid", { amount: { text, untrusted: false }, to: teller.short(stranger) }).text;

  it("is told with what he got", () => {
    expect(tell()).toEqual([said("2 USDC")]);
  });

  it.each<[string, Parts]>([
    ["it reverted", { tx: { status: "reverted" } }],
    ["nothing was given", { flow: { gives: [] } }],
    ["something was got", { flow: { gets: [{ key: usdc }] } }],
    ["not all was seen", { flow: { complete: false } }],
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

describe("why an answer is partial", () => {
  const move = (amount: bigint, from: Address, to: Address, more: object = {}) => ({
    token: usdc,
    tokenId: null,
    amount,
    from,
    to,
    standard: "erc20",
    ...more,
  });
  const tell = (parts: { tx?: object; unwrapped?: object; movements?: object[] } = {}) =>
    tellMissing(
      {
        tx: { truncated: [], movements: [], nativeComplete: true, ...parts.tx },
        unwrapped: { truncated: [], calls: [], ...parts.unwrapped },
        ...{ completeness: { movements: parts.movements ?? [] }, subject: alice },
      } as never,
      names,
      teller,
    ).map(({ text }) => text);
  const words = {
    cut: (what: string) => teller.say("missing.cut", { what }).text,
    calls: teller.say("missing.nested_calls", {}).text,
    calldata: teller.say("missing.ether_by_calldata", {}).text,
    ether: teller.say("missing.ether", {}).text,
  };
  const left = "5 USDC received is not explained.";

  it.each<[string, Parameters<typeof tell>[0], string[]]>([
    ["nothing", {}, []],
    ["what was cut", { tx: { truncated: ["a"] }, unwrapped: { truncated: ["b"] } }, [words.cut("a, b")]],
    [
      "a call that could not be read",
      { unwrapped: { calls: [{ state: "executed" }, { state: "opaque" }] } },
      [words.calls],
    ],
    ["calls that could", { unwrapped: { calls: [{ state: "executed" }] } }, []],
    [
      "ether by its calldata",
      { tx: { movements: [{ basis: "log" }, { basis: "calldata" }], nativeComplete: false } },
      [words.calldata],
    ],
    ["ether", { tx: { movements: [{ basis: "log" }], nativeComplete: false } }, [words.ether]],
    ["what came in", { movements: [move(5_000_000n, bob, alice)] }, [left]],
    ["what came in, twice", { movements: [move(2_000_000n, bob, alice), move(3_000_000n, carol, alice)] }, [left]],
    ["not what went out", { movements: [move(5_000_000n, alice, bob)] }, []],
    ["not what others moved", { movements: [move(5_000_000n, carol, bob)] }, []],
    [
      "all of it",
      {
        ...{ tx: { truncated: ["a"], nativeComplete: false }, movements: [move(5_000_000n, bob, alice)] },
        unwrapped: { truncated: [], calls: [{ state: "opaque" }] },
      },
      [left, words.cut("a"), words.calls, words.ether],
    ],
  ])("is %s", (_case, parts, expected) => {
    expect(tell(parts)).toEqual(expected);
  });
});
