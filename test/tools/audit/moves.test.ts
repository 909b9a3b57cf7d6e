import { describe, expect, it } from "vitest";
import type { InternalTransfer, RpcLog } from "../../../src/model/case-file.ts";
import type { CallStep, Move } from "../../../src/tools/audit/facts/facts.ts";
import { readMoves } from "../../../src/tools/audit/facts/moves.ts";
import {
  alice,
  bob,
  carol,
  logOf,
  nftTransferLog,
  piecesTransferLog,
  token,
  transferLog,
  usdc,
  weth,
} from "../../support/case-of.ts";
import { emittedOf, stepsOf } from "./made-scene.ts";

const stepOf = (parts: Partial<CallStep> = {}) => stepsOf({ to: bob, value: 5n, ...parts })[0] as CallStep;

describe("movements that the audit reads itself", () => {
  const read = (parts: Partial<Parameters<typeof readMoves>[0]>) =>
    readMoves({ logs: [], steps: [], listed: [], etherKnown: true, wrapped: new Set([weth]), ...parts });
  const nft = nftTransferLog(token, alice, bob, 7n);
  const single = piecesTransferLog(token, { operator: carol, from: alice, to: bob, id: 3n, value: 4n });
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
    expect(read({ logs: emittedOf([transferLog(usdc, alice, bob, 9n)]), steps: [stepOf()], listed: [row] })).toEqual([
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
  ])("are of logs: %s", (_, log, expected) => expect(ids(read({ logs: emittedOf([log]) }))).toEqual(expected));

  it("show ether that was unwrapped if nothing else shows it", () => {
    const sides = (list: readonly Move[]) => list.map(({ key, from, to }) => [key, from, to]);
    expect(sides(read({ logs: emittedOf([wrap("Withdrawal")]), etherKnown: false }))).toEqual([
      [weth, alice, weth],
      ["ether", weth, alice],
    ]);
    expect(sides(read({ logs: emittedOf([wrap("Deposit")]), etherKnown: false }))).toEqual([[weth, weth, alice]]);
  });
});
