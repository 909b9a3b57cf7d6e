import { describe, expect, it } from "vitest";
import { lifetimes } from "../../../src/gather/explain/lifetime.ts";
import { createViewMemory } from "../../../src/gather/explain/view-memory.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

const hash = hashOf(1);

describe("the memory of views", () => {
  const account = `0x${"a1".repeat(20)}` as never;
  const view = { account } as never;
  const build = (examined: unknown = {}) => {
    const clock = { time: Date.UTC(2030, 0, 1), now: () => clock.time };
    const memory = createViewMemory({ explainer: { examined: () => examined as never }, cacheBytes: 10_000, clock });
    return { clock, memory };
  };

  it("tells views of one transaction apart by their account", () => {
    const { memory, clock } = build();
    const file = caseFileOf(hash);
    const made = memory.keep({ hash, account: null }, view, { source: "network", file });
    expect(made).toEqual({ source: "network", view, body: Buffer.from(JSON.stringify(view)), etag: made.etag });
    expect(memory.recall({ hash, account: null })).toBe(made);
    expect(memory.recall({ hash, account })).toBeUndefined();
    clock.time += lifetimes.settled + 1;
    expect(memory.recall({ hash, account: null })).toBeUndefined();
  });

  it.each([
    ["network", undefined, true],
    ["recording", {}, true],
    ["recording", undefined, false],
  ] as const)("gives what a %s told, where the case is %s: %s", (source, examined, found) => {
    const { memory } = build(examined === undefined ? null : examined);
    const clock = { now: () => Date.UTC(2030, 0, 1) };
    const own = createViewMemory({ explainer: { examined: () => examined as never }, cacheBytes: 10_000, clock });
    own.keep({ hash, account: null }, view, { source, file: caseFileOf(hash) });
    expect(own.recall({ hash, account: null }) !== undefined).toBe(found);
    expect(memory.recall({ hash, account: null })).toBeUndefined();
  });

  it.each([
    [{ prices: { a: { status: "unavailable" } }, balances: [] }, false],
    [{ prices: {}, balances: [{ status: "unavailable" }] }, false],
    [{ prices: { a: { status: "absent" } }, balances: [{ status: "inconclusive" }] }, true],
  ])("keeps %j: %s", (looked, kept) => {
    const { memory } = build();
    memory.keep({ hash, account }, view, { source: "network", file: { ...caseFileOf(hash), view: looked as never } });
    expect(memory.recall({ hash, account }) !== undefined).toBe(kept);
  });

  it("lets callers of one question share the work, until it is done", async () => {
    const { memory } = build();
    let runs = 0;
    const work = async () => ({ run: ++runs }) as never;
    const question = { hash, account };
    const [one, other] = [memory.share(question, work), memory.share(question, work)];
    expect(await one).toBe(await other);
    expect(await memory.share({ hash, account: null }, work)).toEqual({ run: 2 });
    expect(await memory.share(question, work)).toEqual({ run: 3 });
  });
});
