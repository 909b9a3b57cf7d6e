import { describe, expect, it } from "vitest";
import type { CallStep, EmittedLog, Facts, Move } from "../../src/audit/facts/facts.ts";
import { gaveFor, isAdmitted, isWorth, keepersOf, reachedFrom, shareOfEach } from "../../src/audit/facts/flow.ts";
import { gainsOf, lossesOf, sumOf } from "../../src/audit/facts/losses.ts";
import { holdingOf, readMoves } from "../../src/audit/facts/moves.ts";
import type { Knowledge } from "../../src/audit/knowledge.ts";
import { readTelling } from "../../src/audit/telling.ts";
import { type Address, checksum, shorten, toAddress } from "../../src/kernel/address.ts";
import type { InternalTransfer, RpcLog } from "../../src/model/case-file.ts";
import type { AssetMoved, Explanation } from "../../src/model/explanation.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  logOf,
  metadata,
  token,
  transferLog,
  usdc,
  vault,
  weth,
  zero,
} from "../support/case-of.ts";
import { explanationOf } from "../support/sample.ts";

const knowledge: Knowledge = {
  name: (address) => (address === vault ? { label: "The Vault", protocols: ["Vaults"] } : undefined),
  token: (address) => (address === usdc ? { symbol: "USDC", decimals: 6 } : undefined),
  isEntryPoint: () => false,
  isPermit2: () => false,
  isSafe: () => false,
  wrapped: new Set([weth]),
  protocols: ["Vaults"],
};

const emitted = (...logs: RpcLog[]): EmittedLog[] =>
  logs.map(({ address, topics, data }, index) => ({ index, address: toAddress(address), topics, data }));
const stepOf = (parts: Partial<CallStep> = {}): CallStep => ({
  ...{ index: 0, parent: -1, type: "CALL", from: alice, to: bob, value: 5n, input: "0x", selector: "0x", emitted: [] },
  ...parts,
});
const moveOf = (of: Address | null, from: Address, to: Address, amount: bigint, log = -1): Move => ({
  ...holdingOf(of, null),
  ...{ amount, from, to, log },
});

describe("movements that the audit reads itself", () => {
  const read = (parts: Partial<Parameters<typeof readMoves>[0]>) =>
    readMoves({ logs: [], steps: [], listed: [], etherKnown: true, wrapped: new Set([weth]), ...parts });
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
  const batch = logOf(
    token,
    "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
    { operator: carol, from: alice, to: bob, ids: [1n, 2n], values: [3n, (1n << 255n) + 4n] },
  );
  const wrap = (event: string, at: string = weth) =>
    logOf(at, `event ${event}(address indexed who, uint256 amount)`, { who: alice, amount: 5n });
  const cut = (log: RpcLog) => ({ ...log, data: log.data.slice(0, -2) }) as RpcLog;
  const words = batch.data.slice(2).match(/.{64}/g) as string[];
  const number = (n: number | bigint) => n.toString(16).padStart(64, "0");
  const withWords = (change: Record<number, string>) =>
    ({ ...batch, data: `0x${words.map((word, i) => change[i] ?? word).join("")}` }) as RpcLog;
  const ids = (list: readonly Move[]) => list.map(({ key, amount, log }) => [key, amount, log]);

  it("are those of logs, then those of calls, then those of a list", () => {
    const row: InternalTransfer = { from: carol, to: alice, value: "0x7", type: "call", success: true };
    expect(read({ logs: emitted(transferLog(usdc, alice, bob, 9n)), steps: [stepOf()], listed: [row] })).toEqual([
      { key: usdc, token: usdc, id: null, amount: 9n, from: alice, to: bob, log: 0 },
      { key: "ether", token: null, id: null, amount: 5n, from: alice, to: bob, log: -1 },
      { key: "ether", token: null, id: null, amount: 7n, from: carol, to: alice, log: -1 },
    ]);
    for (const change of [
      { success: false },
      { type: "delegatecall" },
      { type: "staticcall" },
      { from: "" },
      { to: "" },
      { value: "?" },
      { value: "0x0" },
    ])
      expect(read({ listed: [{ ...row, ...change }] })).toEqual([]);
    for (const type of ["DELEGATECALL", "STATICCALL", "CALLCODE"])
      expect(read({ steps: [stepOf({ type })] })).toEqual([]);
    for (const type of ["CREATE", "CREATE2", "SELFDESTRUCT"])
      expect(read({ steps: [stepOf({ type })] })).toHaveLength(1);
    expect(read({ steps: [stepOf({ value: 0n }), stepOf({ to: alice })] })).toEqual([]);
  });

  it.each<[string, RpcLog, unknown[]]>([
    ["an NFT", nft, [[`${token}#7`, 1n, 0]]],
    ["one of many of a kind", single, [[`${token}#3`, 4n, 0]]],
    [
      "a batch",
      batch,
      [
        [`${token}#1`, 3n, 0],
        [`${token}#2`, (1n << 255n) + 4n, 0],
      ],
    ],
    [
      "a batch of the same list twice",
      withWords({ 1: number(64) }),
      [
        [`${token}#1`, 1n, 0],
        [`${token}#2`, 2n, 0],
      ],
    ],
    ["wrapping", wrap("Deposit"), [[weth, 5n, 0]]],
    ["unwrapping", wrap("Withdrawal"), [[weth, 5n, 0]]],
    ["no transfer without its amount", cut(transferLog(usdc, alice, bob, 9n)), []],
    ["no transfer with a topic too few", { ...nft, topics: nft.topics.slice(0, 2) }, []],
    ["no single one without its amount", cut(single), []],
    ["no single one with a topic too few", { ...single, topics: single.topics.slice(0, 3) }, []],
    ["no batch that is cut", cut(batch), []],
    ["no batch of lists that differ", withWords({ 5: number(1) }), []],
    ["no batch at an odd place", withWords({ 0: number(65) }), []],
    ["no batch beyond the data", withWords({ 1: number(32 * words.length) }), []],
    ["no batch far beyond the data", withWords({ 1: number(1n << 255n) }), []],
    ["no batch longer than any", withWords({ 2: number(1n << 255n), 5: number(1n << 255n) }), []],
    ["no batch without data", { ...batch, data: "0x" }, []],
    ["no wrapping by others", wrap("Deposit", token), []],
    ["no wrapping without its amount", cut(wrap("Deposit")), []],
    ["no other event of wrapped ether", wrap("Other"), []],
    ["no transfer from a word that is no address", { ...nft, topics: nft.topics.with(1, `0x${"f".repeat(64)}`) }, []],
    ["no transfer to a word that is no address", { ...nft, topics: nft.topics.with(2, `0x${"f".repeat(64)}`) }, []],
  ])("are of logs: %s", (_, log, expected) => expect(ids(read({ logs: emitted(log) }))).toEqual(expected));

  it("tell of ether that was unwrapped where nothing else does", () => {
    const sides = (list: readonly Move[]) => list.map(({ key, from, to }) => [key, from, to]);
    expect(sides(read({ logs: emitted(wrap("Withdrawal")), etherKnown: false }))).toEqual([
      [weth, alice, weth],
      ["ether", weth, alice],
    ]);
    expect(sides(read({ logs: emitted(wrap("Deposit")), etherKnown: false }))).toEqual([[weth, weth, alice]]);
  });
});

function factsOf(moves: readonly Move[], parts: Partial<Facts> = {}): Facts {
  return {
    file: caseOf(),
    steps: [],
    logs: [],
    moves,
    byAsset: Map.groupBy(moves, ({ key }) => key),
    ...parts,
  } as unknown as Facts;
}

describe("what an account lost and gained", () => {
  const facts = factsOf([
    moveOf(usdc, alice, bob, 9n),
    moveOf(null, alice, bob, 3n),
    moveOf(usdc, bob, alice, 4n),
    moveOf(token, bob, alice, 2n),
    moveOf(token, bob, carol, 2n),
    moveOf(null, bob, alice, 3n),
  ]);

  it("is net, by asset, in the order in which it began", () => {
    expect(lossesOf(alice, facts, knowledge)).toEqual([
      { ...holdingOf(usdc, null), account: alice, net: 5n, gross: 9n, outflows: [facts.moves[0]] },
    ]);
    expect(lossesOf(bob, facts, knowledge).map(({ key, net, gross }) => [key, net, gross])).toEqual([[token, 4n, 4n]]);
    expect([...gainsOf(alice, facts)]).toEqual([[token, 2n]]);
    expect([...gainsOf(bob, facts)]).toEqual([[usdc, 5n]]);
    expect(sumOf([{ amount: 1n }, { amount: 2n }])).toBe(3n);
  });
});

describe("who has what was lost", () => {
  const lose = (net: bigint) => ({ ...holdingOf(usdc, null), account: alice, net, gross: net, outflows: [] });
  const keepers = (moves: Move[], net = 10n, parts = 5n) =>
    keepersOf(lose(net), factsOf(moves), knowledge, parts).map(({ account, kept }) => [account, kept]);
  const gave = moveOf(usdc, alice, bob, 10n);

  it.each<[string, Move[], unknown[]]>([
    ["whoever got it", [gave], [[bob, 10n]]],
    ["whoever it was passed on to", [gave, moveOf(usdc, bob, carol, 10n)], [[carol, 10n]]],
    [
      "nobody behind one who gave something for it",
      [gave, moveOf(usdc, bob, carol, 10n), moveOf(token, bob, carol, 1n)],
      [],
    ],
    ["nobody behind a contract that is known", [moveOf(usdc, alice, vault, 10n), moveOf(usdc, vault, carol, 10n)], []],
    ["nobody where it was burned", [moveOf(usdc, alice, zero, 10n)], []],
    ["not a fee", [gave, moveOf(usdc, bob, carol, 2n)], [[bob, 8n]]],
    [
      "more than a fee",
      [gave, moveOf(usdc, bob, carol, 3n)],
      [
        [bob, 7n],
        [carol, 3n],
      ],
    ],
  ])("is %s", (_, moves, expected) => expect(keepers(moves)).toEqual(expected));

  it("is found along the moves, and counted by their differences", () => {
    const moves = [gave, moveOf(usdc, bob, carol, 4n), moveOf(usdc, vault, zero, 1n), moveOf(usdc, carol, alice, 1n)];
    expect([...reachedFrom(alice, moves)]).toEqual([alice, bob, carol]);
    expect([...shareOfEach(moves)]).toEqual([
      [alice, -9n],
      [bob, 6n],
      [carol, 3n],
      [vault, -1n],
      [zero, 1n],
    ]);
  });

  it("gave something for it by another asset, or a token of his own", () => {
    const given = (move: Move, counts = () => true) => gaveFor(bob, usdc, factsOf([move]), counts);
    expect(given(moveOf(token, bob, carol, 1n))).toBe(true);
    expect(given(moveOf(token, bob, carol, 1n), () => false)).toBe(false);
    expect(given(moveOf(usdc, bob, carol, 1n))).toBe(false);
    expect(given(moveOf(token, bob, zero, 1n))).toBe(false);
    expect(given(moveOf(token, carol, bob, 1n))).toBe(false);
    expect(given(moveOf(bob, zero, carol, 1n), () => false)).toBe(true);
    expect(given(moveOf(bob, alice, carol, 1n))).toBe(false);
    expect([
      isWorth(knowledge)({ token: null }),
      isWorth(knowledge)({ token: usdc }),
      isWorth(knowledge)({ token }),
    ]).toEqual([true, true, false]);
  });

  it("is a contract that is known, or that a known one knows or made", () => {
    const read = (result: string | null, to: string = vault, data = `0x12345678${"0".repeat(24)}${bob.slice(2)}`) =>
      isAdmitted(
        bob,
        factsOf([], { file: { ...caseOf(), reads: [{ status: "found", source: "x", to, data, result }] as never } }),
        knowledge,
      );
    const made = (from: Address, type = "CREATE2", to: Address = bob) =>
      isAdmitted(bob, factsOf([], { steps: [stepOf({ from, to, type })] }), knowledge);
    expect([vault, usdc, bob].map((one) => isAdmitted(one, factsOf([]), knowledge))).toEqual([true, true, false]);
    expect([read("0x01"), read("0x00"), read("0x"), read(null), read("0x01", carol)]).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([read("0x01", vault, "0x12"), read(`0x${bob.slice(2)}`, vault, "0x12")]).toEqual([false, true]);
    expect([
      made(vault),
      made(vault, "CREATE"),
      made(carol),
      made(vault, "CALL"),
      made(vault, "CREATE", carol),
    ]).toEqual([true, true, false, false, false]);
  });
});

describe("what an answer tells", () => {
  const reading = (summary: string, parts: Partial<Explanation> = {}, tokens = {}) =>
    readTelling(
      explanationOf(caseOf().tx_hash, {
        summary,
        assets_moved: [],
        counterparties: [],
        risk_flags: [],
        partial: false,
        ...parts,
      }),
      caseOf({ tokens }),
      knowledge,
    );
  const of = (one: Address | null, id: bigint | null = null) => holdingOf(one, id);
  const named: Explanation["counterparties"] = [{ address: checksum(bob), label: "Bob's shop" } as never];

  it("names addresses in full, in short or by their label", () => {
    expect(reading(`to ${bob}`).names(bob)).toBe(true);
    expect(reading(`to ${checksum(bob)}`).names(bob)).toBe(true);
    expect(reading(`to ${shorten(bob)}`).names(bob)).toBe(true);
    expect(reading("to Bob's shop", { counterparties: named }).names(bob)).toBe(true);
    expect(reading("to The Vault").names(vault)).toBe(true);
    expect(reading("to null").names(bob)).toBe(false);
    expect(reading(`to ${shorten(carol)}`).names(bob)).toBe(false);
  });

  it.each<[string, Address | null, (bigint | null)[]]>([
    ["gave 1.5 USDC.", usdc, [1_500_000n]],
    ["gave 1,250.5 USDC and 2 USDC.", usdc, [1_250_500_000n, 2_000_000n]],
    ["gave 1.5 USDCX.", usdc, []],
    ["gave 1.5 ETH.", usdc, []],
    ["gave 1.5 ETH.", null, [1_500_000_000_000_000_000n]],
    ["gave all its USDC.", usdc, [null]],
    ["gave unlimited USDC.", usdc, [null]],
    ["gave a USDC.", usdc, [null]],
    ["gave all of USDC.", usdc, [null]],
    [`gave 7 raw units of token ${shorten(usdc)}.`, usdc, [7_000_000n]],
    [`gave 7 "FOO" (${shorten(usdc)}).`, usdc, [7_000_000n]],
    [`gave 7 "USDC" (${shorten(carol)}).`, usdc, []],
    [`gave 7 token ${checksum(usdc)}.`, usdc, [7_000_000n]],
    ["gave #7 USDC.", usdc, []],
    ["gave 0x7 USDC.", usdc, []],
    ["gave 1.2345678 USDC.", usdc, []],
  ])("has amounts: %s", (summary, asset, expected) => expect(reading(summary).amounts(of(asset))).toEqual(expected));

  it("reads amounts of a token by what the chain says of it, or by any number of decimals", () => {
    const summary = `gave 7 "FOO" (${shorten(token)}).`;
    expect(reading(summary, {}, { [token]: metadata("FOO", 2) }).amounts(of(token))).toEqual([700n, 7n]);
    expect(reading(summary).amounts(of(token))).toEqual(
      Array.from({ length: 37 }, (_, places) => 7n * 10n ** BigInt(places)),
    );
    expect(reading("gave 7 of 3 things").numbers(of(usdc))).toEqual([7_000_000n, 3_000_000n]);
    expect(reading(summary).amounts(of(token, 1n))).toEqual([]);
  });

  it("has entries of what moved, and their sums", () => {
    const entry = (amount: string, of: Address | null, token_id?: string): AssetMoved =>
      ({
        token: "FOO",
        amount,
        from: alice,
        to: bob,
        token_address: of === null ? null : checksum(of),
        standard: "erc20",
        ...(token_id !== undefined && { token_id }),
      }) as AssetMoved;
    const list = [entry("1.5", usdc), entry("2", usdc), entry("1", null), entry("1", token, "7")];
    const told = reading("gave 3 FOO.", { assets_moved: list }, { [token]: metadata("FOO", 0) });
    expect(told.moved(of(usdc))).toEqual(list.slice(0, 2));
    expect(told.moved(of(null))).toEqual(list.slice(2, 3));
    expect(told.moved(of(token, 7n))).toEqual(list.slice(3));
    expect(told.moved(of(weth))).toEqual([]);
    expect(told.sums(list.slice(0, 2), of(usdc))).toEqual([3_500_000n]);
    expect(told.sums([entry("0.0000001", usdc)], of(usdc))).toEqual([]);
    expect(told.sums(list.slice(3), of(token, 7n))).toEqual([1n]);
    expect(told.sums([entry("3", token)], of(token))).toEqual([3n]);
  });

  it("has NFTs by id or collection", () => {
    expect(reading("gave NFT #7.").tellsNft(of(token, 7n))).toBe(true);
    expect(reading("gave NFT #77.").tellsNft(of(token, 7n))).toBe(false);
    expect(reading(`gave NFTs of ${shorten(token)}.`).tellsNft(of(token, 7n))).toBe(true);
  });

  it("says who may take something, in its summary or a flag about a right", () => {
    const flagged = (detail: string) => reading("x", { risk_flags: [{ flag: "unlimited_approval", detail } as never] });
    expect(reading(`to ${shorten(bob)}`).tellsPower(bob)).toBe(true);
    expect(flagged(`The spender ${shorten(bob)} is new.`).tellsPower(bob)).toBe(true);
    expect(flagged(`${shorten(bob)} may take it.`).tellsPower(bob)).toBe(true);
    expect(flagged(`The recipient ${shorten(bob)} is new.`).tellsPower(bob)).toBe(false);
    expect(flagged(`The spender ${shorten(carol)} is new.`).tellsPower(bob)).toBe(false);
    expect(flagged(`The spender ${shorten(bob)}`).flags("unlimited_approval", bob)).toBe(true);
    expect(flagged(`The spender ${shorten(bob)}`).flags("known_drainer", bob)).toBe(false);
    expect(flagged(`The spender ${shorten(carol)}`).flags("unlimited_approval", bob)).toBe(false);
  });

  it("says that it cannot explain an asset, sentence by sentence", () => {
    const told = reading("It gave 3 ETH. 1.5 USDC received is not explained.");
    expect([told.isOpen(of(usdc)), told.isOpen(of(null))]).toEqual([true, false]);
  });

  it.each<[string, boolean, [boolean, boolean, boolean]]>([
    ["It sent 1 ETH and 2 more assets.", false, [true, false, false]],
    ["It sent 1 ETH and 1 more asset.", false, [true, false, false]],
    ["1 ETH is not explained.", false, [true, false, false]],
    ["Ether could not be read.", false, [true, false, false]],
    ["It sent many things…", false, [true, false, false]],
    ["It sent… Then more.", false, [true, false, false]],
    ["It sent 1 ETH.", false, [false, false, false]],
    ["3 movements are not listed.", false, [false, false, false]],
    ["3 movements are not listed.", true, [false, true, false]],
    ["1 movement is not listed.", true, [false, true, false]],
    ["Not everything was read: 3 movements are missing.", true, [true, true, false]],
    ["It made 2 more changes of control.", true, [false, false, true]],
    ["It made 2 more changes of control.", false, [false, false, false]],
  ])("says what is missing: %s (partial: %s)", (summary, partial, expected) => {
    const told = reading(summary, { partial });
    expect([told.cutsAssets, told.cutsList, told.cutsControl]).toEqual(expected);
  });

  it("misses assets where it is partial though the ether is known", () => {
    const trace = { source: "internal_transfers" as const, provider: "x", internal_transfers: [] };
    const told = (summary: string) =>
      readTelling(
        explanationOf(caseOf().tx_hash, { summary, assets_moved: [], counterparties: [], partial: true }),
        caseOf({ trace }),
        knowledge,
      ).cutsAssets;
    expect([told("It sent 1 ETH."), told("3 movements are not listed.")]).toEqual([true, false]);
  });
});
