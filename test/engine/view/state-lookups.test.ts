import { encodeAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { openViewLookup } from "../../../src/gather/lookup/view/view-lookup.ts";
import { type Address, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { PriceFeed } from "../../../src/model/label.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { ok, refused, type Script, scriptedPool } from "../../support/scripted-pool.ts";

const addressOf = (digits: string) => toAddress(`0x${digits.repeat(20)}`);
const [account, token, other, feed, multicall] = ["a1", "b2", "c3", "d4", "ca"].map(addressOf) as [
  ...[Address, Address, Address, Address, Address],
];
const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;
const outputs = [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }];
const returned = (...results: (Hex | null)[]) =>
  ok(encodeAbiParameters(outputs, [results.map((data) => [data !== null, data ?? "0x"])]));
const time = 1_700_000_000;
const roundOf = (answer: bigint, updatedAt: number): Hex =>
  `0x${[1n, BigInt.asUintN(256, answer), 0n, BigInt(updatedAt), 1n].map((one) => word(one).slice(2)).join("")}`;

interface World {
  script: Script;
  tokens?: Address[];
  passed?: Address[];
  fed?: boolean;
  feedOf?: (token: Address) => PriceFeed | undefined;
  /** null: there is no price API. */
  prices?: ReadonlyMap<Address, string> | "silent" | null;
  timestamp?: Hex | undefined;
  number?: Hex;
}

async function look({
  script,
  tokens = [token],
  passed = [],
  fed = true,
  feedOf = (of) => (fed && of === token ? { feed } : undefined),
  prices = null,
  number = "0x64",
  ...world
}: World) {
  const { pool, asked } = scriptedPool(script);
  const listed: unknown[] = [];
  const api =
    prices === null
      ? null
      : {
          name: "api",
          pricesAt: async (...given: unknown[]) => {
            listed.push(given[0]);
            return given[1] === time && prices !== "silent" ? prices : undefined;
          },
        };
  const lookUp = openViewLookup({
    network: { pool, prices: api } as never,
    ...{ multicall, deadlineMs: 1_000, feedOf },
  });
  const timestamp = "timestamp" in world ? world.timestamp : `0x${time.toString(16)}`;
  const block = { number, hash: hashOf(500), ...(timestamp === undefined ? {} : { timestamp }) };
  const file = await lookUp({ ...caseFileOf(hashOf(1)), block } as never, { account, tokens, passed });
  return { view: file.view, asked, listed };
}

const good = roundOf(150_000_000n, time);
const now = (round: Hex | null = good, decimals: Hex | null = word(8)) =>
  returned(word(100), word(5), word(7), round, decimals);
const then = returned(word(99), word(4), word(6));

describe("the balances of a view", () => {
  it("are those of the block and of the one before it, ether first", async () => {
    const { view, asked } = await look({ script: () => [now(), then] });
    expect(view?.account).toBe(account);
    expect(view?.balances).toEqual([
      { status: "found", token: null, before: "4", after: "5" },
      { status: "found", token, before: "6", after: "7" },
    ]);
    expect(asked.map(({ calls }) => calls.map(({ params }) => params[1]))).toEqual([["0x64", "0x63"]]);
  });

  it.each<[string, Script, string, string | null, string | null]>([
    ["another block", () => [returned(word(101), word(5), word(7), good, word(8)), then], "inconclusive", "4", null],
    ["another block before", () => [now(), returned(word(100), word(4), word(6))], "inconclusive", null, "5"],
    ["a state that is gone", () => [now(), refused("pruned")], "inconclusive", null, "5"],
    ["no number", () => [returned(null, word(5), word(7), good, word(8)), then], "inconclusive", "4", null],
    ["no balance", () => [returned(word(100), null, word(7), good, word(8)), then], "inconclusive", "4", null],
    [
      "a balance that is no word",
      () => [returned(word(100), "0x05", word(7), good, word(8)), then],
      "inconclusive",
      "4",
      null,
    ],
    ["no answer", () => "timeout", "unavailable", null, null],
    ["no answer of Multicall3", () => [ok("0x"), then], "unavailable", null, null],
  ])("of %s", async (_name, script, status, before, after) => {
    expect((await look({ script })).view?.balances?.[0]).toEqual({ status, token: null, before, after });
  });

  it("are asked for once of each token, of what passed through too, and of none at the zero address", async () => {
    const script: Script = (calls) => calls.map(() => returned(word(100), word(1), word(2), word(3), word(4)));
    const { view } = await look({ script, fed: false, tokens: [token, zeroAddress], passed: [token, other] });
    expect(view?.balances?.map(({ token: of, status }) => [of, status])).toEqual([
      [null, "inconclusive"],
      [token, "inconclusive"],
      [zeroAddress, "absent"],
      [other, "inconclusive"],
    ]);
  });

  it.each([
    [255, 1, 256],
    [256, 0, 256],
    [256, 1, 256],
    [257, 0, 256],
  ])("of %d tokens and %d that passed through are those of %d", async (count, more, held) => {
    const all = Array.from({ length: count + more }, (_, i) =>
      toAddress(`0x${(i + 1).toString(16).padStart(40, "0")}`),
    );
    const script: Script = (calls) => calls.map((_, i) => returned(word(100 - i), ...Array(held + 1).fill(word(3))));
    const asked = { tokens: all.slice(0, count), passed: all.slice(count) };
    const { view } = await look({ script, fed: false, ...asked });
    const balances = [null, ...all.slice(0, held)].map((of) => {
      return { status: "found", token: of, before: "3", after: "3" };
    });
    expect(view?.balances).toEqual(balances);
    expect(Object.keys(view?.prices ?? {})).toEqual(all.slice(0, Math.min(count, limits.tokensMax)));
  });

  it("of the first block have none before", async () => {
    const { asked } = await look({ script: () => [now()], number: "0x0" });
    expect(asked[0]?.calls).toHaveLength(1);
  });
});

describe("the prices of a view", () => {
  const source = `chainlink:${feed}@block`;
  it.each<[string, ReturnType<typeof now>, object]>([
    ["of that moment", now(), { status: "found", usd: "1.5" }],
    ["of a day before", now(roundOf(150_000_000n, time - 86_400)), { status: "found", usd: "1.5" }],
    ["of longer before", now(roundOf(150_000_000n, time - 86_401)), { status: "inconclusive", usd: null }],
    ["of later", now(roundOf(150_000_000n, time + 1)), { status: "inconclusive", usd: null }],
    ["of nothing", now(roundOf(0n, time)), { status: "inconclusive", usd: null }],
    ["of less than nothing", now(roundOf(-1n, time)), { status: "inconclusive", usd: null }],
    ["of no round", now(null), { status: "absent", usd: null }],
    ["of no decimals", now(good, null), { status: "absent", usd: null }],
  ])("by a feed: %s", async (_name, answer, expected) => {
    expect((await look({ script: () => [answer, then] })).view?.prices).toEqual({ [token]: { source, ...expected } });
  });

  it.each([
    [90_000, "found"],
    [90_001, "inconclusive"],
  ])("by a feed whose prices last 90,000 seconds: after %d", async (age, status) => {
    const feedOf = () => ({ feed, staleAfter: 90_000 });
    const { view } = await look({ script: () => [now(roundOf(150_000_000n, time - age)), then], feedOf });
    expect(view?.prices?.[token]).toEqual({ status, source, usd: status === "found" ? "1.5" : null });
  });

  it("by several feeds are each of its own feed, and the others are asked of the price API", async () => {
    const feeds = new Map([
      [token, { feed }],
      [multicall, { feed: account }],
    ]);
    const rest = [roundOf(25n, time), word(1)];
    const script: Script = () => [
      returned(word(100), ...Array(4).fill(word(7)), good, word(8), ...rest),
      returned(word(99), ...Array(4).fill(word(6))),
    ];
    const { view, listed, asked } = await look({
      ...{ script, tokens: [token, other, multicall], feedOf: (of) => feeds.get(of), prices: new Map([[other, "3"]]) },
    });
    expect(view?.prices).toEqual({
      [token]: { status: "found", source, usd: "1.5" },
      [multicall]: { status: "found", source: `chainlink:${account}@block`, usd: "2.5" },
      [other]: { status: "found", source: "api", usd: "3" },
    });
    expect([listed, asked.length]).toEqual([[[other]], 1]);
  });

  it("are not asked of the price API where each token has a feed", async () => {
    expect((await look({ script: () => [now(), then], prices: new Map() })).listed).toEqual([]);
  });

  it("by a feed are unavailable where nobody answers, or without a time", async () => {
    const unavailable = { [token]: { status: "unavailable", source, usd: null } };
    expect((await look({ script: () => "timeout" })).view?.prices).toEqual(unavailable);
    expect((await look({ script: () => [now(), then], timestamp: undefined })).view?.prices).toEqual(unavailable);
  });

  it.each<[string, Partial<World>, object]>([
    ["found", { prices: new Map([[token, "2.5"]]) }, { status: "found", source: "api", usd: "2.5" }],
    ["not known", { prices: new Map() }, { status: "absent", source: "api", usd: null }],
    ["not answered", { prices: "silent" }, { status: "unavailable", source: "api", usd: null }],
    ["asked of nobody", {}, { status: "absent", source: "no price source is configured", usd: null }],
    [
      "without a time",
      { prices: new Map([[token, "2.5"]]), timestamp: undefined },
      { status: "unavailable", source: "api", usd: null },
    ],
  ])("by the price API: %s", async (_name, world, expected) => {
    const { view } = await look({ script: () => [returned(word(100), word(5), word(7)), then], fed: false, ...world });
    expect(view?.prices).toEqual({ [token]: expected });
  });
});
