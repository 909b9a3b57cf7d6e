import { describe, expect, it } from "vitest";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
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
import { collected, ether, logs } from "./collected.ts";
import { topicOf } from "./log-from.ts";

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
    const nft = nftTransferLog(token, alice, bob, 7n);
    const single = piecesTransferLog(token, { operator: carol, from: alice, to: bob, id: 3n, value: 4n });
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
