import { describe, expect, it } from "vitest";
import { createHeadMemory } from "../../../src/gather/network/rpc/head.ts";
import { ok, scriptedPool } from "../../support/scripted-pool.ts";

const signal = new AbortController().signal;
const silent = () => "unusable" as const;

describe("the endpoints of a chain", () => {
  const build = () => scriptedPool(silent, silent, silent).pool;
  const names = (pool: ReturnType<typeof build>) => pool.inOrder().map(({ health }) => health.name.slice(4, 5));

  it("are asked as configured, those that rest last, those of another chain not at all", () => {
    const pool = build();
    expect(names(pool)).toEqual(["0", "1", "2"]);
    pool.endpoints[0]?.health.fail({ restMs: 1 });
    expect(names(pool)).toEqual(["1", "2", "0"]);
    pool.endpoints[1]?.health.rest("wrong_chain", 1, "chain");
    expect(names(pool)).toEqual(["2", "0"]);
  });

  it.each<[boolean[], boolean]>([
    [[], false],
    [[false, false], false],
    [[false, true], true],
    [[true, false], true],
    [[true, true], true],
  ])("that are well as %j are online: %s", (well, online) => {
    const { pool, asked } = scriptedPool(...well.map(() => silent));
    for (const [i, endpoint] of pool.endpoints.entries()) endpoint.isWell = () => well[i] === true;
    expect([pool.isOnline(), asked]).toEqual([online, []]);
  });

  it("are asked until one gives a value; the same again after the others where it says so", async () => {
    const pool = build();
    const asked: string[] = [];
    const tell = (answers: Record<string, ("again" | undefined | object)[]>, first?: number) =>
      pool.tryEach(
        async ({ health: { name } }) => {
          asked.push(name.slice(4, 5));
          return answers[name.slice(4, 5)]?.shift();
        },
        signal,
        first === undefined ? undefined : pool.endpoints[first],
      );
    expect(await tell({ 0: ["again", { a: 1 }], 1: [undefined], 2: [undefined] })).toEqual({ a: 1 });
    expect(asked.splice(0)).toEqual(["0", "1", "2", "0"]);
    expect(await tell({ 1: [{ b: 1 }] })).toEqual({ b: 1 });
    expect(asked.splice(0)).toEqual(["0", "1"]);
    expect(await tell({}, 2)).toBeUndefined();
    expect(asked.splice(0)).toEqual(["2", "0", "1"]);
    expect(await pool.tryEach(async () => ({}), AbortSignal.abort())).toBeUndefined();
  });

  it("are asked no more once the caller has gone", async () => {
    const leaving = new AbortController();
    let asked = 0;
    const leave = async () => {
      if (++asked === 2) leaving.abort();
      return undefined;
    };
    expect(await build().tryEach(leave, leaving.signal)).toBeUndefined();
    expect(asked).toBe(2);
  });
});

describe("the newest block", () => {
  const blockOf = (number: string, timestamp?: string) => ({ number, ...(timestamp && { timestamp }) });

  it("is the newest that was mentioned with its time", () => {
    const head = createHeadMemory(scriptedPool().pool, signal);
    const seen = ["0x5", "0x4", "0x5", "0x7", "0x9"].map((number, i) => {
      head.note(blockOf(number, number === "0x9" ? undefined : `0x${i}`));
      return head.newest();
    });
    const [five, seven] = [
      { number: 5, timestamp: 0 },
      { number: 7, timestamp: 3 },
    ];
    expect(seen).toEqual([five, five, five, seven, seven]);
    expect(createHeadMemory(scriptedPool().pool, signal).newest()).toBeNull();
  });

  it("is asked once for all waiting callers, and stays known if no endpoint answers", async () => {
    const answers = [[ok({ number: "0x8", timestamp: "0x10" })], [ok({ number: "0x9" })], "timeout" as const];
    const { pool, asked } = scriptedPool(() => answers.shift() ?? "unusable");
    const head = createHeadMemory(pool, signal);
    const eight = { number: 8, timestamp: 16 };
    expect(await Promise.all([head.read(), head.read()])).toEqual([eight, eight]);
    expect(asked).toEqual([{ node: 0, calls: [{ method: "eth_getBlockByNumber", params: ["latest", false] }] }]);
    expect([await head.read(), await head.read()]).toEqual([eight, eight]);
    expect(asked).toHaveLength(3);
  });
});
