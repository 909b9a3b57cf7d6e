import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Ledger } from "../../../src/serve/access/ledger/ledger.ts";
import type { PassRow } from "../../../src/serve/access/ledger/rows.ts";
import { createPasses, type PassRecord } from "../../../src/serve/access/quota/pass.ts";

const secret = "a secret of the tests";
const now = () => 1_000_999;

/** Passes over a ledger with one pass, which was sold for the payment `one`. `left`: what the ledger answers when a call is given back. */
function open({ row = {}, secrets = [secret] as [string, ...string[]], none = false, left = 5 as number | null } = {}) {
  const notes: unknown[][] = [];
  const issued = createPasses({ ledger: {} as Ledger, secrets: [secret], now }).issue(
    ...(["one", { seconds: 100, calls: 7 }, 950] as const),
  );
  const pass: PassRow = { ...issued, paymentKey: "one", createdAt: 950, used: 2, ...row };
  const ledger = {
    renewPass: async (payment: string, tokenHash: string) => (payment === "one" ? { ...pass, tokenHash } : undefined),
    findPass: (id: string) => (id === issued.id ? pass : undefined),
    takePassCall: (...given: unknown[]) => {
      notes.push(given);
      return none ? null : { count: 4, charge: () => notes.push(["charged"]), giveBack: () => left };
    },
  } as unknown as Ledger;
  const passes = createPasses({ ledger, secrets, now });
  return { passes, pass, notes, issued };
}
const tokenOf = (world: ReturnType<typeof open>) => {
  return createPasses({ ledger: {} as Ledger, secrets: [secret], now }).describe({
    ...world.pass,
    tokenHash: world.issued.tokenHash,
  })?.pass_token as string;
};

describe("a pass that is sold", () => {
  it("is named by the payment, kept as a hash, and good for as long as it says", () => {
    const { passes, pass, issued } = open();
    const { pass_token, ...record } = passes.describe(pass) as PassRecord;
    expect(pass_token).toMatch(/^svc_[0-9a-f]{24}_[0-9a-f]{64}$/);
    expect(issued).toEqual({
      ...{ id: pass_token.slice(4, 28), tokenHash: createHash("sha256").update(pass_token).digest("hex") },
      ...{ expiresAt: 1_050, callCap: 7 },
    });
    expect(record).toEqual({ expires_at: "1970-01-01T00:17:30Z", call_cap: 7 });
    expect(passes.issue("two", { seconds: 100, calls: 7 }, 950).id).not.toBe(issued.id);
    // The two parts of a token have nothing in common.
    expect(pass_token.slice(29, 53)).not.toBe(issued.id);
  });

  it("has another token whenever it is given again, under the same id", async () => {
    const { passes, pass } = open();
    const [first, second] = [await passes.renew(pass), await passes.renew(pass)];
    const tokens = [passes.describe(pass), first, second].map((told) => String(told?.pass_token));
    expect(new Set(tokens).size).toBe(3);
    expect(new Set(tokens.map((token) => token.slice(0, 28))).size).toBe(1);
    // What was issued is not told any more where it is not the token any more.
    expect(passes.describe({ ...pass, tokenHash: "another" })).toBeNull();
    expect(first).toMatchObject({ call_cap: 7, expires_at: "1970-01-01T00:17:30Z" });
    const lost = open({ secrets: ["another secret"] });
    await expect(lost.passes.renew(lost.pass)).rejects.toMatchObject({ code: "pass_not_shown" });
  });

  it("is told again under the secret that it was sold under, and under no other", () => {
    const world = open({ secrets: ["another secret", secret] });
    expect(world.passes.describe(world.pass)?.pass_token).toBe(tokenOf(world));
    expect(world.passes.issue("one", { seconds: 1, calls: 1 }, 1).id).not.toBe(world.issued.id);
    const lost = open({ secrets: ["another secret"] });
    expect(() => lost.passes.describe(lost.pass)).toThrow(expect.objectContaining({ code: "pass_not_shown" }));
  });
});

describe("a pass that is shown", () => {
  it.each<[string, Partial<PassRow>, object]>([
    ["that is new", { used: 0 }, { status: "valid", remaining: 7 }],
    ["with one call left", { used: 6 }, { status: "valid", remaining: 1 }],
    ["that is used up", { used: 7 }, { status: "exhausted" }],
    ["that was used too much", { used: 8 }, { status: "exhausted" }],
    ["in its last second", { expiresAt: 1_001 }, { status: "valid", remaining: 5 }],
    ["that ends now", { expiresAt: 1_000 }, { status: "expired" }],
    ["that is over and used up", { expiresAt: 999, used: 7 }, { status: "expired" }],
  ])("%s", async (_name, row, standing) => {
    const world = open({ row });
    expect(await world.passes.look(tokenOf(world))).toEqual(standing);
    const isOver = (standing as { status: string }).status === "expired";
    expect(await world.passes.use(tokenOf(world))).toMatchObject({ status: isOver ? "expired" : "valid" });
    expect(world.notes).toEqual(isOver ? [] : [[world.issued.id, 1_000]]);
  });

  it("is unknown if any part of its token differs", async () => {
    const world = open();
    const token = tokenOf(world);
    const last = token.endsWith("0") ? "1" : "0";
    const wrong = [
      "",
      "svc_",
      token.slice(1),
      `${token}0`,
      ` ${token}`,
      token.toUpperCase(),
      `${token.slice(0, -1)}${last}`,
    ];
    const otherId = `svc_${"0".repeat(24)}${token.slice(28)}`;
    for (const one of [...wrong, otherId]) {
      expect(await world.passes.look(one)).toEqual({ status: "unknown" });
      expect(await world.passes.use(one)).toEqual({ status: "unknown" });
    }
    const short = open({ row: { tokenHash: "h" } });
    expect(await short.passes.look(tokenOf(short))).toEqual({ status: "unknown" });
    expect(world.notes).toEqual([]);
  });
});

describe("a call of a pass", () => {
  it("is held, charged, or given back with the number that is left then", async () => {
    const world = open({ left: 6 });
    const use = await world.passes.use(tokenOf(world));
    if (use.status !== "valid") throw new Error("it is valid");
    expect(use.call.remaining).toBe(4);
    use.call.charge();
    expect(world.notes).toEqual([[world.issued.id, 1_000], ["charged"]]);
    expect(await use.call.giveBack()).toBe(6);
  });

  it("is one more than before if the ledger does not say how many are left", async () => {
    const world = open({ left: null });
    const use = await world.passes.use(tokenOf(world));
    expect(use.status === "valid" && (await use.call.giveBack())).toBe(5);
  });

  it("is refused if another request took the last call", async () => {
    const world = open({ none: true });
    expect(await world.passes.use(tokenOf(world))).toEqual({ status: "exhausted" });
  });
});
