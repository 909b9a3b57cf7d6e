import { describe, expect, it } from "vitest";
import { giveBackAll, type HeldLine, holdLines } from "../../../src/serve/access/batch/held-calls.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import type { FreeCalls } from "../../../src/serve/access/quota/free-calls.ts";
import type { Passes } from "../../../src/serve/access/quota/pass.ts";

/**
 * A batch with these free calls and calls of a pass, and the notes of what happens to them. Call number `failsAt`, counted from 1, rejects.
 */
function open({ free = 0, pass = 0, failsAt = 0 }) {
  const noted = { asked: [] as string[], charged: [] as string[], givenBack: [] as string[], open: 0, openMost: 0 };
  const left = { free, pass };
  const take = async (via: "free" | "pass") => {
    noted.asked.push(via);
    noted.openMost = Math.max(noted.openMost, ++noted.open);
    const fails = noted.asked.length === failsAt;
    await Promise.resolve();
    noted.open--;
    if (fails) throw new Error("ledger");
    if (left[via] === 0) return null;
    left[via]--;
    return { charge: () => noted.charged.push(via), giveBack: () => noted.givenBack.push(via) };
  };
  const freeCalls = { take: async () => ({ call: await take("free") }) } as unknown as FreeCalls;
  const passes = {
    use: async (token: string) => {
      const call = token === "pass" ? await take("pass") : null;
      return call === null ? { status: "exhausted" } : { status: "valid", call };
    },
  } as unknown as Passes;
  const hold = (lines: number, passToken?: string) =>
    holdLines({ freeCalls, passes }, { client: "c" as Client, passToken, lines });
  return { noted, hold };
}

const vias = (held: HeldLine[]) => held.map(({ via }) => via);

describe("the calls that are held for a batch", () => {
  it("are free ones first, then those of the pass", async () => {
    const { noted, hold } = open({ free: 2, pass: 9 });
    const held = await hold(5, "pass");
    expect(vias(held)).toEqual(["free", "free", "pass", "pass", "pass"]);
    for (const one of held) one.charge();
    expect(noted.charged).toEqual(vias(held));
    // The first round asked for all five, and was short.
    expect(noted.asked).toEqual([...Array(5).fill("free"), ...Array(3).fill("pass")]);
  });

  it.each([
    ["all free, and the pass is not asked", { free: 20, pass: 20 }, 17, "pass", 17, 0],
    ["as many as there are", { free: 3, pass: 4 }, 20, "pass", 3, 4],
    ["none of a pass that is not shown", { free: 3, pass: 4 }, 20, undefined, 3, 0],
    ["none of a pass that is not valid", { free: 0, pass: 4 }, 2, "other", 0, 0],
    ["exactly so many", { free: 8, pass: 0 }, 8, undefined, 8, 0],
    ["none for no line", { free: 8, pass: 8 }, 0, "pass", 0, 0],
  ])("are %s", async (_name, parts, lines, token, free, pass) => {
    const { noted, hold } = open(parts);
    expect(vias(await hold(lines, token))).toEqual([...Array(free).fill("free"), ...Array(pass).fill("pass")]);
    expect(noted.openMost).toBeLessThanOrEqual(8);
    if (lines > 8 && parts.free > 8) expect(noted.openMost).toBe(8);
    expect(noted.asked.filter((via) => via === "free").length).toBeLessThanOrEqual(lines + 8);
  });

  it("are all given back when the ledger fails on the way", async () => {
    const { noted, hold } = open({ free: 20, failsAt: 11 });
    await expect(hold(20)).rejects.toThrow("ledger");
    expect(noted.asked).toHaveLength(16);
    expect(noted.givenBack).toHaveLength(15);
  });

  it("are each given back once, no matter what happens to the others", async () => {
    const given: number[] = [];
    const held = Array.from(
      { length: 20 },
      (_, i): HeldLine => ({
        via: "free",
        charge() {},
        async giveBack() {
          given.push(i);
          if (i === 3) throw new Error("ledger");
        },
      }),
    );
    await giveBackAll(held);
    expect(given).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(held).toEqual([]);
  });
});
