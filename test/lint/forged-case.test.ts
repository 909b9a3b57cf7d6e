import { describe, expect, it } from "vitest";
import { checksum, shorten, toAddress } from "../../src/kernel/address.ts";
import { transferTopic } from "../../src/kernel/token-standards.ts";
import { people } from "../../src/lint/examples/given-names.ts";
import { type CaseOutcome, newViolation } from "../../src/lint/mutation/case-outcome.ts";
import { changedFlows } from "../../src/lint/mutation/changed-flow.ts";
import { judgeByRule } from "../../src/lint/mutation/mutant.ts";
import { nativeTrace, thirdParties } from "../../src/lint/mutation/planted-event.ts";
import { sideShows } from "../../src/lint/mutation/side-show.ts";
import { forgers, isFlagged, isLossTold, judgeLoss, plainToken } from "../../src/lint/mutation/stranger.ts";
import type { Movement } from "../../src/model/transaction.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
const [subject, pool, usdc, weth, dai] = [party("a"), party("b"), party("c"), party("d"), party("e")];
const { thief, victim, front } = forgers;
const word = (text: string) => `0x${text.replace("0x", "").padStart(64, "0")}`;
const tokens = [
  { address: dai, decimals: 18, wellKnown: false },
  { address: weth, decimals: 18, wellKnown: true },
  { address: usdc, decimals: 6, wellKnown: true },
];
const labels = {
  tokens: () => tokens,
  system: (kind: string) => (kind === "weth" ? [weth] : []),
  name: (address: string) => (address === people.bob ? { label: "Bob" } : undefined),
};
const log = { address: pool, topics: ["0x01", word(subject)], data: "0x" };

function move(index: number, more: Partial<Movement> = {}): Movement {
  const plain = { standard: "erc20", token: usdc, tokenId: null, amount: 5n, from: subject, to: pool } as const;
  return { index, ...plain, log: index, call: -1, fee: false, basis: "log", ...more };
}

interface Given {
  status?: string;
  movements?: Movement[];
  rule?: object;
  context?: object;
  logs?: object[];
}

function originalOf({ status = "success", movements = [], rule = {}, context = {}, logs = [log] }: Given = {}) {
  const flow = { complete: true, gives: [], gets: [] };
  return {
    caseFile: {
      tx_hash: "0x12",
      transaction: { to: pool },
      receipt: { status: "0x1", logs },
      tokens: { x: 1 },
      reads: [],
    },
    trial: {
      tx: { status, movements, from: subject },
      subject,
      actions: [{ rule: { id: "a/b" }, context: { subject } }],
    },
    candidate: {
      rule: { id: "a/b", legs: [], flow: null, anchor: { kind: "event" }, ...rule },
      context: { subject, legs: [], move: null, flow, ...context },
    },
    world: { labels },
  } as never;
}

/** What came of a case: only what judges look at. */
function outcomeOf({
  summary = "",
  partial = false,
  flags = [] as string[],
  violations = [] as string[],
  acts = [] as string[],
  actions = [] as object[],
} = {}) {
  return {
    ...{ summary, violations: () => violations, hasActOf: (account: string) => acts.includes(account) },
    decision: { explanation: { partial, risk_flags: flags.map((detail) => ({ detail })) } },
    trial: { tx: { from: subject }, actions },
  } as unknown as CaseOutcome;
}

describe("what is told of a loss", () => {
  it.each<[string, boolean, boolean]>([
    [`It went to ${shorten(thief)}.`, false, true],
    [`It went to ${checksum(thief)}.`, false, true],
    ["It went to somebody.", false, false],
    ["It went to 3 recipients.", false, true],
    ["It and 1 more asset went away.", true, true],
    ["It and 12 more assets went away.", true, true],
    ["It and 12 more assets went away.", false, false],
    ["It and more assets went away.", true, false],
  ])("%s (partial: %s): %s", (summary, partial, told) => {
    expect(isLossTold(outcomeOf({ summary, partial }), thief)).toBe(told);
  });

  it("is told by the summary or by a flag", () => {
    expect(isFlagged(outcomeOf({ flags: ["first", `to ${checksum(thief)}`] }), thief)).toBe(true);
    expect(isFlagged(outcomeOf({ summary: shorten(thief) }), thief)).toBe(true);
    expect(isFlagged(outcomeOf({ flags: ["first", `to ${checksum(victim)}`] }), thief)).toBe(false);
    expect(isFlagged(outcomeOf(), thief)).toBe(false);
  });

  it("is judged for whom the answer is about", () => {
    const clean = outcomeOf();
    const judge = (outcome: CaseOutcome, account = subject) => judgeLoss(outcome, account, thief, clean);
    const named = `It went to ${shorten(thief)}.`;
    expect(judge(clean)).toBe("the stranger is not told");
    expect(judge(clean, victim)).toBeNull();
    expect(judge(outcomeOf({ acts: [victim] }), victim)).toBe("the stranger is not told");
    expect(judge(outcomeOf({ summary: "It went to 3 recipients." }))).toBeNull();
    expect(judge(outcomeOf({ summary: named }))).toBeNull();
    for (const account of [subject, thief]) {
      const violations = [`law 3: ${checksum(account)} is hidden`];
      expect(judge(outcomeOf({ summary: named, violations }))).toBe(violations[0]);
    }
    expect(judge(outcomeOf({ summary: named, violations: [`law 3: ${checksum(pool)}`] }))).toBeNull();
  });

  it("has violations that were not there before", () => {
    const [one, two] = [`law 2: ${checksum(subject)}`, `law 3: ${checksum(subject)} ${checksum(pool)}`];
    const found = (before: string[], now: string[], ...accounts: (typeof subject)[]) =>
      newViolation(outcomeOf({ violations: now }), outcomeOf({ violations: before }), accounts);
    expect(found([], [one, two], subject)).toBe(one);
    expect(found([one], [one, two], subject)).toBe(two);
    expect(found([one, two], [one, two], subject)).toBeNull();
    expect(found([], [one, two], pool)).toBe(two);
    expect(found([], [one, two], thief, pool)).toBe(two);
    expect(found([], [one, two], thief)).toBeNull();
    expect(found([], [one, two])).toBeNull();
  });

  it("is of a well-known token that the case does not touch, and not of wrapped ether", () => {
    const plain = (...addresses: string[]) =>
      plainToken(labels as never, { receipt: { logs: addresses.map((address) => ({ address })) } } as never)?.address;
    expect([plain(), plain(pool, weth), plain(usdc.toUpperCase().replace("0X", "0x"))]).toEqual([
      usdc,
      usdc,
      undefined,
    ]);
  });
});

describe("a rule that still stands", () => {
  it("does so as often as before, for the same subject", () => {
    const action = (id: string, account = subject) => ({ rule: { id }, context: { subject: account } });
    const judge = (...actions: object[]) => judgeByRule(originalOf())(outcomeOf({ actions }));
    expect(judge(action("a/b"))).toBe("the rule still stands");
    expect(judge(action("a/b"), action("a/b"))).toBe("the rule still stands");
    expect([judge(), judge(action("a/c")), judge(action("a/b", pool))]).toEqual([null, null, null]);
  });
});

describe("a side show", () => {
  it("is the loss of somebody else, before and after the example's logs", () => {
    const native = move(0, { standard: "native", token: null, log: -1, amount: 7n });
    const shows = sideShows(originalOf({ movements: [native, move(1)] }));
    const loss = {
      address: usdc,
      topics: [transferTopic, word(victim), word(thief)],
      data: word((10n ** 10n).toString(16)),
    };
    expect(shows.map(({ kind, change, caseFile: { receipt } }) => [kind, change, receipt])).toEqual([
      ["side-show", "before somebody else's loss", { status: "0x1", logs: [log, loss] }],
      ["side-show", "after somebody else's loss", { status: "0x1", logs: [loss, log] }],
    ]);
    expect(shows[0]?.caseFile.transaction).toEqual({
      ...{ hash: "0x12", type: "0x2", from: victim, to: front, value: "0x0", input: "0x12345678" },
    });
    const internal_transfers = [{ type: "call", from: subject, to: pool, value: "7", success: true }];
    expect(shows[0]?.caseFile.trace).toEqual({ source: "internal_transfers", provider: "example", internal_transfers });
    expect(nativeTrace(originalOf({ movements: [move(1)] })).internal_transfers).toEqual([]);
  });

  it("is not made of what reverted, nor without a token", () => {
    expect(sideShows(originalOf({ status: "reverted" }))).toEqual([]);
    expect(sideShows(originalOf({ logs: [{ ...log, address: usdc }] }))).toEqual([]);
  });

  it("is seen through where the victim and the loss are told", () => {
    const judge = (summary: string, ...violations: string[]) =>
      sideShows(originalOf())[0]?.judge(outcomeOf({ summary, violations }));
    const told = `${shorten(victim)} lost it to ${shorten(thief)}.`;
    expect(judge(`It went to ${shorten(thief)}.`)).toBe("the victim is not told");
    expect(judge(`${shorten(victim)} lost it.`)).toBe("the loss is not told");
    expect(judge(told)).toBeNull();
    expect(judge(told, `law 2: ${checksum(thief)}`)).toBeNull();
    expect(judge(told, "law 1", `law 2: ${checksum(victim)}`)).toBe(`law 2: ${checksum(victim)}`);
  });
});

describe("a plain transfer among the logs of others", () => {
  const made = (given?: Given) => thirdParties(originalOf(given));

  it("is alice's own, behind logs of accounts that nobody knows", () => {
    const [one] = made({ movements: [move(0, { standard: "native", token: null, log: -1, amount: 7n })] });
    expect([one?.kind, one?.change]).toEqual(["third-party", "inside a plain transfer"]);
    const { transaction, receipt, trace, tokens: known } = { ...one?.caseFile };
    expect([transaction?.from, transaction?.to, transaction?.hash, transaction?.value]).toEqual([
      ...[people.alice, usdc, "0x12", "0x0"],
    ]);
    const [planted, own] = receipt?.logs ?? [];
    expect(own).toEqual({
      ...{ address: usdc, topics: [transferTopic, word(people.alice as string), word(people.bob as string)] },
      data: word("64"),
    });
    expect([planted?.address, planted?.topics[0]]).toEqual([pool, "0x01"]);
    expect(JSON.stringify([planted, trace])).not.toContain(subject.slice(2));
    expect(JSON.stringify(trace)).toContain(pool);
    expect(known).toEqual({ x: 1 });
  });

  it("is made of what an event or a movement anchors, and went through", () => {
    const kinds = ["event", "transfer", "call", "flow"].map((kind) => made({ rule: { anchor: { kind } } }).length);
    expect(kinds).toEqual([1, 1, 0, 0]);
    expect(made({ status: "reverted" })).toEqual([]);
    expect(made({ logs: [{ ...log, address: usdc }] })).toEqual([]);
  });

  it("must stay one of alice's", () => {
    const judge = (...actions: object[]) => made()[0]?.judge(outcomeOf({ actions }));
    const action = (name: string, account: string | undefined) => ({
      ...{ rule: { id: "x/y", action: name }, context: { subject: account } },
    });
    expect(judge(action("erc20_transfer", people.alice), action("swap", subject))).toBeNull();
    expect(judge(action("erc20_transfer", subject))).toBe(`x/y stands for ${subject}`);
    expect(judge(action("swap", people.alice))).toBe(`x/y stands for ${people.alice}`);
    expect(judge()).toBe("nothing stands");
  });
});

describe("money that a rule asks for", () => {
  const changes = (given: Given) =>
    changedFlows(originalOf({ logs: (given.movements ?? []).map(() => transferLog), ...given })).map(
      ({ kind, change, caseFile }) => [kind, change, caseFile.receipt.logs.length],
    );
  const transferLog = { address: usdc, topics: [transferTopic, word(subject), word(pool)], data: word("5") };
  const all = (name: string, left: number, of: number) => [
    ["swapped-sides", name, of],
    ["zeroed-amount", name, of],
    ["dropped-leg", name, left],
  ];
  const leg = { name: "paid", optional: false, many: false };
  const alike = [move(0), move(1, { fee: true }), move(2), move(3, { to: thief }), move(4, { token: dai })];

  it("is that of its needed legs, with what is like it", () => {
    const given = (more: object) => ({
      movements: alike,
      rule: { legs: [{ ...leg, ...more }] },
      context: { legs: [alike[0]] },
    });
    expect(changes(given({}))).toEqual(all("leg paid", 3, 5));
    expect([changes(given({ optional: true })), changes(given({ many: true }))]).toEqual([[], []]);
    expect(changes({ ...given({}), context: { legs: [null] } })).toEqual([]);
    const from = [move(0), move(1, { from: thief })];
    expect(changes({ movements: from, rule: { legs: [leg] }, context: { legs: [from[0]] } })).toEqual(
      all("leg paid", 1, 2),
    );
  });

  it("is that of its anchor, once", () => {
    expect(changes({ movements: alike, context: { move: alike[3] } })).toEqual(all("the transfer", 4, 5));
    const both = { movements: alike, rule: { legs: [leg] }, context: { legs: [alike[0]], move: alike[2] } };
    expect(changes(both)).toEqual(all("leg paid", 3, 5));
  });

  it("is that of the sides of its flow", () => {
    const asset = (kind: string, ...movements: number[]) => ({ kind, movements });
    const movements = [move(0), move(1), move(2, { to: subject }), move(3)];
    const flow = { complete: true, gives: [asset("erc20", 0, 2), asset("nft", 1), asset("native", 3)], gets: [] };
    const given = (gives: object | null, more: object = {}) => ({
      ...{
        movements,
        rule: { flow: { gives: gives && { kind: "any", min: 1, unseen: false, ...gives }, gets: null } },
      },
      context: { flow: { ...flow, ...more } },
    });
    const name = "what the subject gives";
    expect(changes(given({}))).toEqual(all(name, 1, 4));
    expect(changes(given({ kind: "erc20" }))).toEqual(all(name, 3, 4));
    expect(changes(given({ kind: "nft" }))).toEqual(all(name, 3, 4));
    expect(changes(given({ kind: "fungible" }))).toEqual(all(name, 2, 4));
    expect([changes(given({ min: 0 })), changes(given(null))]).toEqual([[], []]);
    expect(changes(given({ unseen: true }))).toEqual(all(name, 1, 4));
    expect(changes(given({ unseen: true }, { complete: false }))).toEqual([]);
    expect(changes(given({ unseen: false }, { complete: false }))).toEqual(all(name, 1, 4));
    expect(changes(given({}, { gives: [asset("erc20", 2)] }))).toEqual([]);
    const gets = { ...flow, gets: [asset("erc20", 0)] };
    const rule = { flow: { gives: null, gets: { kind: "any", min: 1, unseen: false } } };
    expect(changes({ movements, rule, context: { flow: gets } })).toEqual(all("what the subject gets", 3, 4));
  });
});
