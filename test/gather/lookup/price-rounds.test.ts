import { decodeFunctionData, type Hex, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { findRound, type Round, readRound } from "../../../src/gather/lookup/price/price-history.ts";
import { bob } from "../../support/case-of.ts";

const abi = parseAbi(["function getRoundData(uint80) view returns (uint80, int256, uint256, uint256, uint80)"]);
const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, "0");
const answerOf = ({ id, answer, updatedAt }: Round): Hex =>
  `0x${[id, answer, 0n, BigInt(updatedAt), id].map(word).join("")}`;
const idOf = (phase: bigint, number: bigint) => (phase << 64n) | number;

describe("an answer of a feed", () => {
  const round = { id: idOf(2n, 3n), answer: 5n, updatedAt: 7 };
  const latest = 2 ** 40;

  it("is a round with a time that can be", () => {
    expect(readRound(answerOf(round))).toEqual(round);
    expect(readRound(answerOf({ ...round, answer: -5n }))).toEqual({ ...round, answer: -5n });
    expect(readRound(answerOf({ ...round, updatedAt: latest }))).toEqual({ ...round, updatedAt: latest });
    for (const updatedAt of [0, latest + 1]) expect(readRound(answerOf({ ...round, updatedAt }))).toBeUndefined();
    for (const data of [null, undefined, "0x", `${answerOf(round)}00`]) expect(readRound(data)).toBeUndefined();
  });
});

/** Searches a feed in which the time of a round is its number. Gives the rounds that each trip asked for, as phase and number. */
async function search(newest: [bigint, bigint], time: number, has: (phase: bigint, number: bigint) => boolean) {
  const trips: [bigint, bigint][][] = [];
  const round = (phase: bigint, number: bigint) => ({ id: idOf(phase, number), answer: 1n, updatedAt: Number(number) });
  const found = await findRound({
    feed: bob,
    newest: round(...newest),
    time,
    signal: new AbortController().signal,
    read: async (reads) => {
      const asked = reads.map(({ to, data }) => {
        expect(to).toBe(bob);
        const [id] = decodeFunctionData({ abi, data }).args;
        return [id >> 64n, id & (2n ** 64n - 1n)] as [bigint, bigint];
      });
      trips.push(asked);
      return asked.map(([phase, number]) => (has(phase, number) ? answerOf(round(phase, number)) : null));
    },
  });
  return { found: typeof found === "string" ? found : [found.id >> 64n, found.updatedAt], trips };
}

const numbers = (from: bigint, to: bigint) =>
  Array.from({ length: Number(to - from + 1n) }, (_, i) => from + BigInt(i));
const phasesOf = (trip: [bigint, bigint][] = []) => [...new Set(trip.map(([phase]) => phase))];

describe("the search for a round", () => {
  it("needs no trip where the newest is early enough", async () => {
    expect(await search([1n, 9n], 9, () => true)).toEqual({ found: [1n, 9], trips: [] });
  });

  it("looks at each round between where they are few", async () => {
    const { found, trips } = await search([1n, 9n], 8, () => true);
    expect([found, trips]).toEqual([[1n, 8], [numbers(1n, 8n).map((number) => [1n, number])]]);
    const most = await search([1n, 201n], 5, () => true);
    expect([most.found, most.trips[0]]).toEqual([[1n, 5], numbers(1n, 200n).map((number) => [1n, number])]);
    expect(await search([1n, 1n], 0, () => true)).toEqual({ found: "none", trips: [[]] });
  });

  it("looks at two hundred evenly apart where they are many, then between two of them", async () => {
    const { found, trips } = await search([1n, 1001n], 7, () => true);
    expect(trips[0]).toEqual(numbers(0n, 199n).map((i) => [1n, 1n + i * 5n]));
    expect([found, trips.slice(1)]).toEqual([[1n, 7], [numbers(7n, 10n).map((number) => [1n, number])]]);
  });

  it("looks into as many as six earlier phases, the newest first", async () => {
    const phases = async (phase: bigint) => phasesOf((await search([phase, 1n], 0, () => false)).trips[0]);
    expect(await phases(1n)).toEqual([]);
    expect(await phases(2n)).toEqual([1n]);
    expect(await phases(6n)).toEqual([5n, 4n, 3n, 2n, 1n]);
    expect(await phases(7n)).toEqual([6n, 5n, 4n, 3n, 2n, 1n]);
    expect(await phases(9n)).toEqual([8n, 7n, 6n, 5n, 4n, 3n]);
    const { trips } = await search([2n, 1n], 0, () => false);
    expect(trips[0]).toEqual(numbers(0n, 19n).map((i) => [1n, 2n ** i]));
  });

  it("ends in an earlier phase before round 2^20", async () => {
    const end = 2n ** 20n;
    const { found, trips } = await search([2n, end * 4n], Number(end) + 9, (phase) => phase === 1n);
    expect([found, trips.length]).toEqual([[1n, Number(end) - 1], 4]);
    expect(trips.slice(1).map((trip) => trip[0])).toEqual([
      [1n, end / 2n + 1n],
      [1n, expect.any(BigInt)],
      [1n, expect.any(BigInt)],
    ]);
  });

  it("takes the newest phase that began before", async () => {
    const { found } = await search([3n, 9n], 5, (phase, number) => phase < 3n && number < 8n);
    expect(found).toEqual([2n, 5]);
    expect((await search([3n, 9n], 5, (phase, number) => phase === 1n && number < 8n)).found).toEqual([1n, 5]);
  });

  it("gives up without an answer", async () => {
    const newest = { id: idOf(1n, 9n), answer: 1n, updatedAt: 9 };
    const read = async () => undefined;
    const signal = new AbortController().signal;
    expect(await findRound({ feed: bob, newest, time: 5, signal, read })).toBe("unavailable");
  });
});
