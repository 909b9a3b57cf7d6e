import { afterEach, describe, expect, it, vi } from "vitest";
import type { Hash } from "../../../src/kernel/hex.ts";
import { LineWork } from "../../../src/serve/service/batch/line-work.ts";
import { hashOf } from "../../support/sample.ts";

const hashes = (count: number) => Array.from({ length: count }, (_, i) => hashOf(i));
/** What was begun is done. */
const settled = async () => {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
};

/** Work whose lines a test ends one by one. */
function open(
  count: number,
  { gone, isStopping = () => false }: { gone?: AbortSignal; isStopping?: () => boolean } = {},
) {
  const begun: Hash[] = [];
  const waiting = new Map<Hash, PromiseWithResolvers<unknown>>();
  const make = (hash: Hash) => {
    begun.push(hash);
    const done = Promise.withResolvers<unknown>();
    waiting.set(hash, done);
    return done.promise as never;
  };
  const work = new LineWork({ hashes: hashes(count), make, gone, isStopping });
  const end = async (number: number, how: "answer" | "failure" = "answer") => {
    const done = waiting.get(hashOf(number));
    if (how === "answer") done?.resolve(`answer ${number}`);
    else done?.reject(new Error(`failure ${number}`));
    await settled();
  };
  return { work, begun, end };
}

describe("the work for a batch", () => {
  it("is eight at once, and sixteen ahead of the line that is read", async () => {
    const { work, begun, end } = open(40);
    const first = work.take(hashOf(0));
    expect(begun).toEqual(hashes(8));
    for (let i = 1; i < 12; i++) await end(i);
    expect(begun).toEqual(hashes(17));
    await end(0);
    expect(await first).toEqual({ answer: "answer 0" });
    expect(begun).toHaveLength(17);
    expect(await work.take(hashOf(1))).toEqual({ answer: "answer 1" });
    expect(begun).toHaveLength(18);
  });

  it("is told in the order of the request, failures too", async () => {
    const { work, end } = open(2);
    const both = [work.take(hashOf(0)), work.take(hashOf(1))];
    await end(1, "failure");
    await end(0);
    expect(await both[0]).toEqual({ answer: "answer 0" });
    expect(await both[1]).toEqual({ thrown: new Error("failure 1") });
  });

  it.each([
    [0, ["answer"], true],
    [0, ["failure", "answer"], true],
    [0, ["failure", "failure", "failure"], false],
    [1, ["answer", "failure", "answer"], true],
    [1, ["answer", "failure", "failure"], false],
    [2, ["answer", "answer", "failure"], false],
  ] as const)("is known to have more than %d answers after %j: %s", async (count, ends, expected) => {
    const { work, end } = open(3);
    let told: boolean | undefined;
    void work.hasMoreThan(count).then((more) => {
      told = more;
    });
    for (const [i, how] of ends.entries()) {
      expect(told).toBeUndefined();
      await end(i, how);
    }
    expect(told).toBe(expected);
  });

  it("counts as unsent until each of its lines is sent; a known answer costs none", async () => {
    const { work, end } = open(20);
    expect(work.unsent).toBe(0);
    void work.take(hashOf(0));
    expect(work.unsent).toBe(8);
    await end(0);
    await end(1, "failure");
    expect(work.unsent).toBe(10);
    work.sent(hashOf(0));
    work.sent(hashOf(0));
    work.sent(hashOf(1));
    expect(work.unsent).toBe(8);
    const make = () => "known" as never;
    const known = new LineWork({ hashes: hashes(2), make, gone: undefined, isStopping: () => false });
    expect(await known.take(hashOf(0))).toEqual({ answer: "known" });
    expect(known.unsent).toBe(0);
  });

  it("goes on beyond what is read while more answers are looked for", async () => {
    const { work, begun, end } = open(40);
    const more = work.hasMoreThan(0);
    for (let i = 0; i < 30; i++) await end(i, "failure");
    expect(begun).toHaveLength(38);
    await end(30);
    expect(await more).toBe(true);
    for (let i = 31; i < 38; i++) await end(i);
    // Everything that was begun is done. Nothing more is begun until a line is read.
    expect(begun).toHaveLength(39);
  });

  it.each<[string, object]>([
    ["the caller has gone", { gone: AbortSignal.abort() }],
    ["the service stops", { isStopping: () => true }],
  ])("does not begin once %s", async (_name, options) => {
    const { work, begun } = open(1, options);
    expect(await work.take(hashOf(0))).toMatchObject({ thrown: { code: "restarting" } });
    expect(begun).toEqual([]);
    expect(work.unsent).toBe(0);
  });
});

describe("the time of a batch", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is a minute, in which work is begun", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { work, begun, end } = open(9);
    const first = work.take(hashOf(0));
    vi.advanceTimersByTime(60_000);
    await end(0);
    expect(await first).toEqual({ answer: "answer 0" });
    expect(begun).toEqual(hashes(9));
    const late = open(9);
    const last = late.work.take(hashOf(8));
    vi.advanceTimersByTime(60_001);
    await late.end(0);
    expect(late.begun).toEqual(hashes(8));
    const message = "The time of the batch is over; nothing was done for this line.";
    expect(await last).toMatchObject({ thrown: { code: "upstream_unavailable", message } });
  });
});
