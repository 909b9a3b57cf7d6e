import { describe, expect, it } from "vitest";
import { type Address, toAddress } from "../../src/kernel/address.ts";
import type { Hex } from "../../src/kernel/hex.ts";
import { limits } from "../../src/kernel/limits.ts";
import type { InternalTransfer, RpcLog } from "../../src/model/case-file.ts";
import type { Call, Movement } from "../../src/model/transaction.ts";
import { balanceChanges } from "../../src/normalize/balance-changes.ts";
import { keepWhatMatters } from "../../src/normalize/kept-movements.ts";
import { isIndexed, movementsIn, movementsOf } from "../../src/normalize/movement-index.ts";
import { collectMovements, type MovementSource } from "../../src/normalize/movements.ts";
import { alice, bob, carol, logOf, token, transferLog, usdc, vault, weth, zero } from "../support/case-of.ts";
import { move, moved } from "../support/movements.ts";
import { logFrom, topicOf } from "./log-from.ts";

const call = (index: number, parts: Partial<Call> = {}): Call => ({
  ...{ index, parent: index - 1, depth: index, kind: "call", from: vault, to: carol, value: 0n, input: "0x", ok: true },
  ...parts,
});

function collected(parts: Partial<MovementSource> = {}): Movement[] {
  return collectMovements(
    {
      ...{ from: alice, to: vault, value: 0n, depositMint: 0n, calls: [call(0, { from: alice, to: vault })], logs: [] },
      ...{ traced: false, internal: null, weth: new Set([weth]), listed: new Set<Address>() },
      ...parts,
    },
    [],
  );
}

const ether = { standard: "native", token: null, tokenId: null, log: -1, fee: false } as const;
const logs = (...list: (RpcLog | [RpcLog, number])[]) =>
  list.map((one, index) => (Array.isArray(one) ? logFrom(one[0], index, one[1]) : logFrom(one, index)));
/** What moved in which order: ether by its amount, tokens by the log. */
const order = (list: readonly Movement[]) =>
  list.map(({ token: of, amount, log }) => (of === null ? Number(amount) : `log ${log}`));

describe("ether of the transaction itself", () => {
  it("is what a deposit makes, then what was sent along", () => {
    expect(collected({ depositMint: 1n, value: 1n })).toEqual([
      { index: 0, ...ether, amount: 1n, from: zero, to: alice, call: 0, basis: "transaction" },
      { index: 1, ...ether, amount: 1n, from: alice, to: vault, call: 0, basis: "transaction" },
    ]);
    expect(collected()).toEqual([]);
  });

  it("went nowhere where the creation failed", () => {
    expect(collected({ value: 1n, calls: [call(0, { to: null })] })).toEqual([]);
  });
});

describe("ether of a call tree", () => {
  const calls = [
    call(0, { from: alice, to: vault, value: 9n }),
    call(1, { value: 1n }),
    call(2, { value: 2n }),
    call(3, { value: 3n }),
  ];

  it("stands where its frame ran among the logs", () => {
    const list = logs(
      [transferLog(usdc, alice, bob, 1n), 0],
      [transferLog(usdc, alice, bob, 1n), 2],
      transferLog(usdc, alice, bob, 1n),
    );
    expect(order(collected({ traced: true, calls, logs: list }))).toEqual(["log 0", 1, 2, "log 1", "log 2", 3]);
    expect(collected({ traced: true, calls })[1]).toEqual({
      ...{ index: 1, ...ether, amount: 2n, from: vault, to: carol, call: 2, basis: "trace" },
    });
    expect(collected({ calls })).toEqual([]);
  });

  it.each<[string, Partial<Call>]>([
    ["that failed", { ok: false }],
    ["without value", { value: 0n }],
    ["that created nothing", { to: null }],
    ["that borrowed code", { kind: "delegatecall" }],
    ["that only read", { kind: "staticcall" }],
    ["of the old kind that borrowed code", { kind: "callcode" }],
  ])("is not moved by a frame %s", (_, parts) => {
    expect(collected({ traced: true, calls: [call(0), call(1, { value: 1n, ...parts })] })).toEqual([]);
  });
});

describe("ether of an explorer's list", () => {
  const row = (value: string, parts: Partial<InternalTransfer> = {}): InternalTransfer => ({
    ...{ from: vault, to: alice, value, type: "call", success: true },
    ...parts,
  });

  it("stands after the logs that were before it, and last where that is not known", () => {
    const list = logs(transferLog(usdc, alice, bob, 1n), transferLog(usdc, alice, bob, 1n));
    const internal = [
      row("0x1"),
      row("0x2", { logs_before: 0 }),
      row("0x3", { logs_before: 1 }),
      row("0x4", { logs_before: 1 }),
      row("0x5", { logs_before: 2 }),
    ];
    const found = collected({ logs: list, internal });
    expect(order(found)).toEqual([2, "log 0", 3, 4, "log 1", 5, 1]);
    expect(found.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(found[0]).toEqual({ index: 0, ...ether, amount: 2n, from: vault, to: alice, call: -1, basis: "internal" });
  });

  it.each<[string, Partial<InternalTransfer>]>([
    ["failed", { success: false }],
    ["moved nothing", { value: "0x0" }],
    ["has no value that can be read", { value: "?" }],
    ["has no giver", { from: "nobody" }],
    ["has no receiver", { to: "" }],
    ["borrowed code", { type: "delegatecall" }],
    ["only read", { type: "staticcall" }],
  ])("is not there where a row %s", (_, parts) => expect(collected({ internal: [row("0x1", parts)] })).toEqual([]));
});

describe("wrapped ether", () => {
  const wrap = (event: "Deposit" | "Withdrawal", at: string = weth) =>
    logOf(at, `event ${event}(address indexed who, uint256 amount)`, { who: alice, amount: 5n });
  const half = {
    standard: "erc20",
    token: weth,
    tokenId: null,
    amount: 5n,
    log: 0,
    call: 3,
    fee: false,
    basis: "log",
  } as const;

  it("comes from its contract, and goes back with as much ether where nothing else shows that", () => {
    expect(collected({ logs: logs([wrap("Deposit"), 3]) })).toEqual([{ index: 0, ...half, from: weth, to: alice }]);
    const gone = { index: 0, ...half, from: alice, to: weth };
    const back = { index: 1, ...ether, amount: 5n, from: weth, to: alice, call: -1, basis: "inferred" };
    const longer = { ...wrap("Deposit"), data: `${wrap("Deposit").data}01` as Hex };
    expect(collected({ logs: logs([longer, 3]) })).toEqual([{ index: 0, ...half, from: weth, to: alice }]);
    expect(collected({ logs: logs([wrap("Withdrawal"), 3]) })).toEqual([gone, back]);
    expect(collected({ logs: logs([wrap("Withdrawal"), 3]), traced: true })).toEqual([gone]);
    expect(collected({ logs: logs([wrap("Withdrawal"), 3]), internal: [] })).toEqual([gone]);
  });

  it.each<[string, RpcLog]>([
    ["another contract's", wrap("Deposit", token)],
    ["another contract's way back", wrap("Withdrawal", token)],
    ["one of another event", { ...wrap("Deposit"), topics: ["0x12" as Hex, topicOf(alice)] }],
    ["one without an amount", { ...wrap("Deposit"), data: `0x${"0".repeat(62)}` }],
    ["one with a topic too many", { ...wrap("Deposit"), topics: [...wrap("Deposit").topics, topicOf(alice)] }],
    [
      "one of a word that is no address",
      { ...wrap("Deposit"), topics: [wrap("Deposit").topics[0] as Hex, `0x${"f".repeat(64)}`] },
    ],
  ])("is not what this log says: %s", (_, log) => expect(collected({ logs: logs(log) })).toEqual([]));
});

describe("what logs of tokens say", () => {
  it("is the whole movement", () => {
    const nft = logOf(token, "event Transfer(address indexed from, address indexed to, uint256 indexed id)", {
      from: alice,
      to: bob,
      id: 7n,
    });
    const single = logOf(
      token,
      "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
      { operator: carol, from: alice, to: bob, id: 3n, value: 4n },
    );
    const parties = { from: alice, to: bob, fee: false, basis: "log" } as const;
    expect(collected({ logs: logs(transferLog(usdc, alice, bob, 9n), [nft, 2], single) })).toEqual([
      { index: 0, standard: "erc20", token: usdc, tokenId: null, amount: 9n, log: 0, call: -1, ...parties },
      { index: 1, standard: "erc721", token, tokenId: 7n, amount: 1n, log: 1, call: 2, ...parties },
      { index: 2, standard: "erc1155", token, tokenId: 3n, amount: 4n, log: 2, call: -1, ...parties },
    ]);
    const longer = (log: RpcLog) => ({ ...log, data: `${log.data}00` as Hex });
    expect(
      collected({ logs: logs(longer(transferLog(usdc, alice, bob, 9n)), longer(single)) }).map(({ amount }) => amount),
    ).toEqual([9n, 4n]);
    const noAddress = `0x${"f".repeat(64)}` as Hex;
    const withTopics = (log: RpcLog, change: Record<number, Hex | undefined>): RpcLog => ({
      ...log,
      topics: Object.values({ ...log.topics, ...change }) as Hex[],
    });
    const plain = transferLog(usdc, alice, bob, 9n);
    const changes = [
      ...[{ 1: noAddress }, { 2: noAddress }, { 3: noAddress, 4: noAddress }].map((change) =>
        withTopics(plain, change),
      ),
      ...[{ 2: noAddress }, { 3: noAddress }, { 4: noAddress }].map((change) => withTopics(single, change)),
    ];
    for (const log of changes) expect(collected({ logs: logs(log) })).toEqual([]);
    const short = (log: RpcLog) => ({ ...log, data: log.data.slice(0, -2) as Hex });
    expect(
      collected({
        logs: logs(short(transferLog(usdc, alice, bob, 9n)), short(single), {
          ...single,
          topics: single.topics.slice(0, 3),
        }),
      }),
    ).toEqual([]);
  });

  const batch = logOf(
    token,
    "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
    { operator: carol, from: alice, to: bob, ids: [1n, 2n], values: [3n, 4n] },
  );
  const words = batch.data.slice(2).match(/.{64}/g) as string[];
  const withWords = (change: Record<number, string>) => ({
    ...batch,
    data: `0x${words.map((word, i) => change[i] ?? word).join("")}` as Hex,
  });
  const number = (n: number | bigint) => n.toString(16).padStart(64, "0");

  it.each<[string, RpcLog, number]>([
    ["of two", batch, 2],
    ["of none", withWords({ 2: number(0), 5: number(0) }), 0],
    ["of one that is followed by others", withWords({ 2: number(1), 5: number(1) }), 1],
    ["whose lists are the same", withWords({ 1: number(64) }), 2],
    ["whose first list begins in the middle of a word", withWords({ 0: number(65) }), 0],
    ["whose list begins outside", withWords({ 1: number(32 * words.length) }), 0],
    ["whose list begins far outside", withWords({ 1: number(1n << 255n) }), 0],
    ["whose list is longer than the data", withWords({ 2: number(3), 5: number(3) }), 0],
    ["without its last word", { ...batch, data: batch.data.slice(0, -2) as Hex }, 0],
    ["of a topic too few", { ...batch, topics: batch.topics.slice(0, 3) }, 0],
    ["without data", { ...batch, data: "0x" }, 0],
    ["with one word of data", { ...batch, data: `0x${number(32)}` }, 0],
  ])("is read from a batch %s", (_, log, count) => expect(collected({ logs: logs(log) })).toHaveLength(count));

  it("pairs ids and amounts of a batch by their places, however large they are", () => {
    const large = 1n << 255n;
    const ids = [large + 1n, large + 2n, large + 3n];
    const values = [large + 7n, large + 8n, large + 9n];
    const event =
      "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)";
    const log = logOf(token, event, { operator: carol, from: alice, to: bob, ids, values });
    const found = collected({ logs: logs(log) });
    expect(found.map(({ tokenId, amount }) => [tokenId, amount])).toEqual(ids.map((id, i) => [id, values[i]]));
  });
});

describe("of too many movements", () => {
  const max = limits.movementsMax;
  const others = (count: number, one: Movement) => Array.from({ length: count }, () => one);
  const kept = (some: readonly Movement[], fill: Movement, count = max) => {
    const truncated: string[] = [];
    const tx = moved([...others(count, fill), ...some], { listed: new Set([usdc]) });
    const list = keepWhatMatters(tx.movements, tx, truncated);
    return { list, truncated };
  };

  it("as many are kept as the limit says, numbered anew, and it is told how many are not", () => {
    const { list, truncated } = kept([move(usdc, alice, bob, 7n)], move(token, bob, carol, 1n));
    expect([list.length, truncated]).toEqual([max, ["1 movements"]]);
    expect(list.at(-1)).toMatchObject({ index: max - 1, amount: 7n });
    const all = kept([], move(token, bob, carol, 1n));
    expect([all.list.length, all.truncated]).toEqual([max, []]);
  });

  // Each of these stays where all others are of the next kind.
  const ranks = [
    move(null, alice, bob, 1n),
    move(usdc, bob, vault, 1n),
    move(null, bob, carol, 1n),
    move(token, alice, bob, 1n),
    move(token, bob, carol, 1n),
    move(usdc, alice, bob, 0n),
  ];
  it.each([
    [0, 2],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
  ])("the more telling one stays: %d before %d", (first, second) => {
    const [one, other] = [ranks[first], ranks[second]] as [Movement, Movement];
    expect(kept([one], other).list.at(-1)).toMatchObject({ token: one.token, from: one.from, to: one.to });
    expect(kept([other], one).list).toHaveLength(max);
    expect(kept([other], one).list.at(-1)).toMatchObject({ token: one.token, from: one.from, to: one.to });
  });
  it.each([move(token, bob, alice, 1n), move(token, vault, bob, 1n), move(token, bob, vault, 1n)])(
    "what the sender and the called account gave or got stays: %#",
    (own) => {
      expect(kept([own], move(token, bob, carol, 1n)).list.at(-1)).toMatchObject({ from: own.from, to: own.to });
    },
  );
});

describe("the index of many movements", () => {
  it("has the same as the list, by party and by token", () => {
    const list = moved([
      ...Array.from({ length: 62 }, () => move(weth, bob, carol, 1n)),
      move(usdc, alice, alice, 1n),
      move(null, alice, bob, 2n),
    ]).movements;
    expect([isIndexed(list), isIndexed(list.slice(1))]).toEqual([true, false]);
    expect(movementsOf(list, alice)).toEqual(list.slice(62));
    expect(movementsOf(list, vault)).toEqual([]);
    expect(movementsIn(list, null)).toEqual(list.slice(63));
    expect(movementsIn(list, usdc)).toEqual(list.slice(62, 63));
    expect(movementsIn(list, token)).toEqual([]);
    expect(movementsOf(list, bob)).toHaveLength(63);
    expect(movementsOf(list.slice(1), alice)).toHaveLength(63);
  });
});

describe("the net changes of an account", () => {
  const net = (moves: readonly Movement[], without?: number[]) => {
    const { gives, gets, ...rest } = balanceChanges(moved(moves), alice, without && new Set(without));
    const short = (list: typeof gives) => list.map(({ key, amount, movements }) => [key, Number(amount), movements]);
    return { gives: short(gives), gets: short(gets), ...rest };
  };
  const nothing = {
    ...{ account: alice, gives: [], gets: [], neutral: [], recipients: [], senders: [] },
    ...{ minted: false, burned: false, wraps: false, complete: true },
  };
  const nft = { standard: "erc721", tokenId: 7n } as const;

  it.each<[string, readonly Movement[], object]>([
    ["nothing", [move(usdc, bob, carol, 1n)], {}],
    [
      "what it gave",
      [move(usdc, alice, bob, 3n), move(usdc, alice, carol, 4n)],
      { gives: [[usdc, 7, [0, 1]]], recipients: [bob, carol] },
    ],
    ["what it got", [move(null, bob, alice, 3n)], { gets: [["native", 3, [0]]], senders: [bob] }],
    [
      "the difference",
      [move(usdc, alice, bob, 3n), move(usdc, bob, alice, 5n)],
      { gets: [[usdc, 2, [0, 1]]], recipients: [bob], senders: [bob] },
    ],
    [
      "nothing where all came back",
      [move(usdc, alice, bob, 3n), move(usdc, bob, alice, 3n)],
      { neutral: [0, 1], recipients: [bob], senders: [bob] },
    ],
    ["nothing of what it gave itself", [move(usdc, alice, alice, 3n)], { neutral: [0] }],
    ["no fee", [move(usdc, alice, bob, 3n, { fee: true })], {}],
    [
      "an NFT by its id",
      [move(token, alice, bob, 1n, nft), move(token, bob, alice, 1n, { ...nft, tokenId: 8n })],
      { gives: [[`${token}:7`, 1, [0]]], gets: [[`${token}:8`, 1, [1]]], recipients: [bob], senders: [bob] },
    ],
    [
      "what was made for it",
      [move(token, zero, alice, 3n)],
      { gets: [[token, 3, [0]]], senders: [zero], minted: true },
    ],
    [
      "what was made for the smaller part",
      [move(token, zero, alice, 3n), move(token, bob, alice, 4n)],
      { gets: [[token, 7, [0, 1]]], senders: [zero, bob] },
    ],
    [
      "what was made for one half",
      [move(token, zero, alice, 4n), move(token, bob, alice, 4n)],
      { gets: [[token, 8, [0, 1]]], senders: [zero, bob], minted: true },
    ],
    [
      "what was made, beside what was not",
      [move(token, bob, alice, 4n), move(usdc, bob, alice, 1n), move(usdc, zero, alice, 4n)],
      {
        gets: [
          [token, 4, [0]],
          [usdc, 5, [1, 2]],
        ],
        senders: [bob, zero],
        minted: true,
      },
    ],
    [
      "what was destroyed",
      [move(token, alice, zero, 3n)],
      { gives: [[token, 3, [0]]], recipients: [zero], burned: true },
    ],
    [
      "what was destroyed for the smaller part",
      [move(token, alice, zero, 3n), move(token, alice, bob, 4n)],
      { gives: [[token, 7, [0, 1]]], recipients: [zero, bob] },
    ],
    [
      "what was wrapped",
      [move(null, alice, weth, 3n), move(weth, weth, alice, 3n)],
      { gives: [["native", 3, [0]]], gets: [[weth, 3, [1]]], recipients: [weth], senders: [weth], wraps: true },
    ],
    [
      "what was unwrapped",
      [move(weth, alice, weth, 3n), move(null, weth, alice, 3n)],
      { gives: [[weth, 3, [0]]], gets: [["native", 3, [1]]], recipients: [weth], senders: [weth], wraps: true },
    ],
    [
      "what was not wrapped one to one",
      [move(null, alice, weth, 3n), move(weth, weth, alice, 2n)],
      { gives: [["native", 3, [0]]], gets: [[weth, 2, [1]]], recipients: [weth], senders: [weth] },
    ],
    [
      "what was bought at par",
      [move(null, alice, bob, 3n), move(usdc, bob, alice, 3n)],
      { gives: [["native", 3, [0]]], gets: [[usdc, 3, [1]]], recipients: [bob], senders: [bob] },
    ],
    [
      "what was bought with wrapped ether at par",
      [move(weth, alice, bob, 3n), move(usdc, bob, alice, 3n)],
      { gives: [[weth, 3, [0]]], gets: [[usdc, 3, [1]]], recipients: [bob], senders: [bob] },
    ],
    [
      "more than a wrap",
      [move(null, alice, weth, 3n), move(weth, weth, alice, 3n), move(usdc, alice, bob, 1n)],
      {
        gives: [
          ["native", 3, [0]],
          [usdc, 1, [2]],
        ],
        gets: [[weth, 3, [1]]],
        recipients: [weth, bob],
        senders: [weth],
      },
    ],
    [
      "ether of no known place first",
      [move(usdc, alice, bob, 1n), move(null, alice, bob, 2n, { basis: "internal" })],
      {
        gives: [
          ["native", 2, [1]],
          [usdc, 1, [0]],
        ],
        recipients: [bob],
      },
    ],
    [
      "other ether in its place",
      [move(usdc, alice, bob, 1n), move(null, alice, bob, 2n)],
      {
        gives: [
          [usdc, 1, [0]],
          ["native", 2, [1]],
        ],
        recipients: [bob],
      },
    ],
    [
      "ether of the transaction in its place, too",
      [
        move(usdc, alice, bob, 1n),
        move(null, alice, bob, 2n, { basis: "transaction" }),
        move(null, alice, bob, 2n, { basis: "internal" }),
      ],
      {
        gives: [
          [usdc, 1, [0]],
          ["native", 4, [1, 2]],
        ],
        recipients: [bob],
      },
    ],
  ])("are %s", (_, moves, expected) => expect(net(moves)).toEqual({ ...nothing, ...expected }));

  it.each<[string, Movement[]]>([
    ["a fee", [move(token, bob, alice, 9n, { fee: true }), move(token, alice, bob, 9n, { fee: true })]],
    ["what others moved", [move(token, bob, carol, 9n), move(token, carol, bob, 9n)]],
    ["what it gave itself", [move(token, alice, alice, 9n)]],
  ])("say that something was made, or destroyed, whatever is beside it: %s", (_, beside) => {
    expect(net([move(token, zero, alice, 3n), ...beside]).minted).toBe(true);
    expect(net([move(token, alice, zero, 3n), ...beside]).burned).toBe(true);
    expect(net([move(token, bob, alice, 0n), ...beside]).minted).toBe(false);
    expect(net([move(token, alice, bob, 0n), ...beside]).burned).toBe(false);
  });

  it("say that something was made, or destroyed, of what others do not explain", () => {
    const made = [move(token, zero, alice, 3n), move(token, bob, alice, 4n)];
    expect([net(made).minted, net(made, [1]).minted]).toEqual([false, true]);
    const destroyed = [move(token, alice, zero, 3n), move(token, alice, bob, 4n)];
    expect([net(destroyed).burned, net(destroyed, [1]).burned]).toEqual([false, true]);
  });

  it("leave out what others explain", () => {
    const moves = [
      move(token, zero, alice, 3n),
      move(token, zero, alice, 5n),
      move(token, alice, zero, 1n),
      move(token, bob, alice, 2n),
    ];
    expect(net(moves, [0, 2])).toEqual({ ...nothing, gets: [[token, 7, [1, 3]]], senders: [zero, bob], minted: true });
    expect(net(moves, [1, 2])).toEqual({ ...nothing, gets: [[token, 5, [0, 3]]], senders: [zero, bob], minted: true });
    expect(net(moves, [0, 1, 2])).toEqual({ ...nothing, gets: [[token, 2, [3]]], senders: [bob] });
  });

  it("are whole for one asset and for many", () => {
    const [one] = balanceChanges(moved([move(token, alice, bob, 1n, nft)]), alice).gives;
    expect(one).toEqual({ key: `${token}:7`, kind: "nft", token, tokenId: 7n, amount: 1n, movements: [0] });
    const [coin, ether] = balanceChanges(moved([move(token, alice, bob, 1n), move(null, alice, bob, 1n)]), alice).gives;
    expect([coin?.kind, coin?.tokenId, ether?.kind]).toEqual(["erc20", null, "native"]);
    const many = Array.from({ length: 12 }, (_, i) => toAddress(`0x${(i + 1).toString(16).padStart(40, "0")}`));
    const twice = [...many, ...many].map((of) => move(of, alice, bob, 2n));
    expect(net(twice).gives).toEqual(many.map((key, i) => [key, 4, [i, i + 12]]));
  });

  it("are made once for a transaction", () => {
    const tx = moved([move(usdc, alice, bob, 3n)]);
    expect(balanceChanges(tx, alice)).toBe(balanceChanges(tx, alice));
    expect(balanceChanges(tx, bob).gets).toHaveLength(1);
    expect(balanceChanges(moved([], { nativeComplete: false }), alice).complete).toBe(false);
  });
});
