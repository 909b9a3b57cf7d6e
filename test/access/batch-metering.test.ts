import { describe, expect, it } from "vitest";
import {
  type AdmittedBatch,
  type BatchCall,
  type BatchMeteringOptions,
  createBatchMetering,
} from "../../src/access/batch/batch-metering.ts";
import type { PurchaseRequest } from "../../src/access/payment/attempt.ts";
import type { Paid, Refused } from "../../src/access/payment/payment.ts";
import type { Client } from "../../src/access/quota/client-address.ts";
import { UsageMetrics } from "../../src/access/usage-metrics.ts";
import { ServiceError } from "../../src/kernel/error.ts";

const client = "192.0.2.1" as Client;
const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
const paid: Paid = { kind: "paid", answer: "", receipt };
const refused: Refused = { kind: "refused", reason: "payment_expired" };
const broken = new ServiceError("ledger_unavailable");
const payment = {} as never;
const unused = {
  code: "payments_unavailable",
  message: "The payment was not used, nothing was charged; send it again.",
  retryAfterSeconds: 1,
};

interface World {
  /** Calls that are left. */
  free?: number;
  pass?: number;
  /** What the token is; null: no pass. */
  status?: "valid" | "unknown" | "expired";
  /** Whether the payment is under way or settled, and what came of beginning it, each time. */
  known?: boolean;
  begins?: ("verified" | Paid | Refused | Error)[];
  commits?: Paid | Refused | Error;
  key?: string | null;
  /** The lines that the payment pays for, those it bought, and the answer that buying gives. */
  lines?: number | null;
  bought?: string[];
  buys?: string | null;
  readFails?: boolean;
}

/** A batch metering over parts that note what is asked of them, in order. */
function open(world: World = {}) {
  const { status = "valid", known = false, key = "key", lines = 3, bought = [], buys = "bought answer" } = world;
  const left = { free: world.free ?? 0, pass: world.pass ?? 0 };
  const begins = [...(world.begins ?? ["verified"])];
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const callOf = (via: "free" | "pass") => ({
    charge: () => note(`${via} charged`),
    giveBack: () => note(`${via} given back`),
  });
  const freeCalls = {
    take: async () => ({ call: left.free-- > 0 ? callOf("free") : null }),
    read: async () => {
      if (world.readFails) throw broken;
      return { limit: 9, remaining: Math.max(0, left.free), resetSeconds: 5 };
    },
  };
  const passes = {
    look: () => (status === "valid" ? { status, remaining: left.pass } : { status }),
    use: async () => (left.pass-- > 0 ? { status: "valid", call: callOf("pass") } : { status: "exhausted" }),
  };
  const released: unknown[] = [];
  const asked: PurchaseRequest[] = [];
  const commit = async (answer: string) => {
    note(`committed ${JSON.stringify(answer)}`);
    const { commits = paid } = world;
    if (commits instanceof Error) throw commits;
    return commits;
  };
  const purchases = {
    keyOf: () => key,
    knows: async () => {
      note("known?");
      return known;
    },
    async begin(request: PurchaseRequest) {
      note(`begun for ${request.lines}`);
      asked.push(request);
      const next = begins.shift();
      if (next instanceof Error) throw next;
      const release = (cause: unknown) => {
        note("released");
        released.push(cause);
      };
      return next === "verified" ? { kind: "verified", commit, release } : next;
    },
  };
  const rateLimit = {
    spend: (who: Client) => note(`spent ${who}`),
    refund: (who: Client) => note(`refunded ${who}`),
  };
  const offers = {
    challenge: (product: string, resource: string, reasons: string[], count: number) => ({
      ...{ product, resource, reasons, count },
    }),
  };
  const ledger = {
    findPayment: (name: string) => (name === "key" ? { lines } : undefined),
    listLines: (name: string) => (name === "key" ? bought : []),
    findLine: (_key: string, request: string) => (bought.includes(request) ? `old ${request}` : null),
    buyLine: (name: string, line: object) => {
      note(`bought ${JSON.stringify([name, line])}`);
      return buys;
    },
  };
  const usage = new UsageMetrics();
  const options = { freeCalls, passes, purchases, rateLimit, offers, ledger, usage, now: () => 2_000_999 };
  const batches = createBatchMetering(options as unknown as BatchMeteringOptions);
  const admit = (requests: string[], call: Partial<BatchCall> = {}) => batches.admit({ client, requests, ...call });
  const begin = async (requests: string[], call: Partial<BatchCall> = {}) =>
    (await admit(requests, call)) as AdmittedBatch;
  const counts = () => Object.fromEntries(Object.entries(usage.counts).filter(([, count]) => count));
  return { admit, begin, notes, released, asked, counts };
}

/** The parts of an admitted batch that say what it rests on. */
const told = (batch: AdmittedBatch) => ({
  ...{ kind: batch.kind, unsettledBeyond: batch.unsettledBeyond, left: batch.creditLeft(), credit: batch.credit() },
});
const challenge = (reasons: string[], count: number, quota: object) => ({
  ...{ kind: "challenged", challenge: { product: "batch", resource: "/explain/batch", reasons, count }, quota },
});
const free = (remaining: number) => ({ limit: 9, remaining, resetSeconds: 5 });
const answer = Buffer.from("answer");

describe("a batch that free calls and a pass cover", () => {
  it("is charged line by line, free calls first, and the rest is given back", async () => {
    const { begin, notes, counts } = open({ free: 2, pass: 5 });
    const batch = await begin(["a", "b", "c", "d"], { passToken: "token" });
    expect(told(batch)).toEqual({ kind: "admitted", unsettledBeyond: null, left: null, credit: null });
    expect(batch.quota).toEqual({ free: free(0), pass: { status: "valid", remaining: 3 } });
    for (const request of ["a", "b", "c"]) expect(await batch.charge(request, answer)).toBe(answer);
    expect(notes).toEqual(["free charged", "free charged", "pass charged"]);
    await batch.end();
    expect(notes.slice(3)).toEqual(["pass given back"]);
    await batch.end();
    expect(notes).toHaveLength(4);
    expect(counts()).toEqual({ free: 2, pass: 1 });
  });

  it("leaves a payment alone that is not needed", async () => {
    const { begin, notes, counts } = open({ free: 2 });
    const batch = await begin(["a", "b"], { payment });
    expect(told(batch)).toEqual({ kind: "admitted", unsettledBeyond: null, left: null, credit: null });
    expect(batch.quota).toEqual({ free: free(0) });
    await batch.end();
    expect(notes).toEqual(["known?", "free given back", "free given back"]);
    expect(counts()).toEqual({});
  });

  it("has no line that nothing covers", async () => {
    const { begin, counts } = open({ free: 1 });
    const batch = await begin(["a"]);
    await batch.charge("a", answer);
    await expect(batch.charge("b", answer)).rejects.toMatchObject({ code: "line_not_paid" });
    expect(counts()).toEqual({ free: 1 });
  });

  it("holds nothing when the ledger fails after they were taken", async () => {
    const { admit, notes } = open({ free: 2, readFails: true });
    await expect(admit(["a", "b"])).rejects.toBe(broken);
    expect(notes).toEqual(["free given back", "free given back"]);
  });
});

describe("a batch that has to be paid for", () => {
  it.each<[string, World, Partial<BatchCall>, string[], number, string[]]>([
    ["without a payment", { free: 1 }, {}, ["free_allowance_used"], 1, ["free given back", `spent ${client}`]],
    [
      "with a pass that nobody knows",
      { free: 1, status: "unknown" },
      { passToken: "token" },
      ["pass_unknown", "free_allowance_used"],
      1,
      [`spent ${client}`, "free given back", `spent ${client}`],
    ],
    [
      "with a payment that is refused",
      { begins: [refused] },
      { payment },
      ["payment_expired"],
      2,
      ["known?", `spent ${client}`, "begun for 2"],
    ],
    [
      "with a payment and a pass that is over",
      { free: 1, status: "expired", begins: [refused] },
      { payment, passToken: "token" },
      ["pass_expired", "payment_expired"],
      1,
      ["known?", `spent ${client}`, "begun for 1", "free given back"],
    ],
  ])("is asked for a payment: %s", async (_name, world, call, reasons, count, notes) => {
    const parts = open(world);
    const status = call.passToken && { status: world.status };
    const quota = { free: free(0), ...(status && { pass: status }) };
    expect(await parts.admit(["a", "b"], call)).toEqual(challenge(reasons, count, quota));
    expect(parts.notes).toEqual(notes);
    expect(parts.counts()).toEqual(call.payment === undefined ? { challenged: 1 } : { refused: 1 });
  });

  it("shows a new payment for the lines that nothing else covers, and says who asks", async () => {
    const { begin, asked, notes } = open({ free: 1 });
    const batch = await begin(["a", "b", "c"], { payment, claim: "claim" });
    expect(told(batch)).toEqual({ kind: "admitted", unsettledBeyond: 1, left: null, credit: null });
    const request = { product: "batch", resource: "/explain/batch", request: "", payment, client, claim: "claim" };
    expect(asked).toEqual([{ ...request, lines: 2 }]);
    expect(notes).toEqual(["known?", `spent ${client}`, "begun for 2"]);
  });

  it("does not spend a request when the payment cannot be checked, and holds nothing then", async () => {
    const { admit, notes, counts } = open({ free: 1, begins: [broken] });
    await expect(admit(["a", "b"], { payment })).rejects.toBe(broken);
    expect(notes).toEqual(["known?", `spent ${client}`, "begun for 1", `refunded ${client}`, "free given back"]);
    expect(counts()).toEqual({});
  });

  it("settles the payment once, and buys its lines with it", async () => {
    const { begin, notes, counts } = open({ free: 1, lines: 2 });
    const batch = await begin(["a", "b", "c"], { payment });
    notes.length = 0;
    expect(await batch.settle()).toBeNull();
    expect(notes).toEqual(['committed ""', `refunded ${client}`]);
    expect(told(batch)).toMatchObject({ unsettledBeyond: null, left: 2, credit: { receipt, left: 2 } });
    await expect(batch.settle()).rejects.toThrow("a batch settles the payment that it was admitted with, once");
    notes.length = 0;
    expect(await batch.charge("a", answer)).toBe(answer);
    expect(batch.creditLeft()).toBe(2);
    expect(await batch.charge("b", answer)).toBe("bought answer");
    expect(batch.creditLeft()).toBe(1);
    expect(await batch.charge("c", answer)).toBe("bought answer");
    expect(await batch.charge("d", answer)).toBe("bought answer");
    expect(batch.creditLeft()).toBe(0);
    const line = (request: string) => `bought ${JSON.stringify(["key", { request, answer: "answer", now: 2_000 }])}`;
    await batch.end();
    expect(notes).toEqual(["free charged", line("b"), line("c"), line("d")]);
    expect(counts()).toEqual({ free: 1, paid: 3 });
  });

  it("has no line beyond the credit", async () => {
    const { begin, counts } = open({ buys: null });
    const batch = await begin(["a"], { payment });
    await batch.settle();
    await expect(batch.charge("a", answer)).rejects.toMatchObject({ code: "line_not_paid" });
    expect(batch.creditLeft()).toBe(3);
    expect(counts()).toEqual({});
  });

  it("is over when settling refuses the payment, or fails", async () => {
    const first = open({ commits: refused });
    const batch = await first.begin(["a", "b", "c"], { payment, passToken: "token" });
    expect(await batch.settle()).toEqual(challenge(["payment_expired"], 3, { free: free(0) }));
    expect(first.notes).toEqual(["known?", `spent ${client}`, "begun for 3", 'committed ""']);
    expect(first.counts()).toEqual({ refused: 1 });
    const second = open({ commits: broken });
    const other = await second.begin(["a"], { payment });
    await expect(other.settle()).rejects.toBe(broken);
    expect(second.notes.slice(3)).toEqual(['committed ""', `refunded ${client}`]);
    await other.end();
    expect(second.notes).toHaveLength(5);
  });

  it("takes a payment for settled that another request settled meanwhile", async () => {
    const { begin, notes } = open({ begins: [paid] });
    const batch = await begin(["a"], { payment });
    expect(batch.unsettledBeyond).toBe(0);
    await batch.settle();
    expect(told(batch)).toMatchObject({ left: 3 });
    expect(notes.slice(3)).toEqual([`refunded ${client}`]);
  });

  it.each<["verified" | Paid, string[]]>([
    ["verified", [`refunded ${client}`, "released", "free given back"]],
    [paid, [`refunded ${client}`, "free given back"]],
  ])("lets go of a payment that was not needed in the end (%j)", async (begun, notes) => {
    const parts = open({ free: 1, begins: [begun] });
    const batch = await parts.begin(["a", "b"], { payment });
    await batch.end();
    await batch.end();
    expect(parts.notes.slice(3)).toEqual(notes);
    expect(batch.unsettledBeyond).toBeNull();
    for (const cause of parts.released) expect(cause).toMatchObject(unused);
  });
});

describe("a batch with a payment from before", () => {
  const followed = ["known?", `spent ${client}`, "begun for 1", `refunded ${client}`];

  it("tells the lines that it bought, and buys others with what is left", async () => {
    const { begin, notes, asked } = open({ known: true, begins: [paid], lines: 3, bought: ["a", "x"] });
    const batch = await begin(["a", "b"], { payment });
    expect(told(batch)).toMatchObject({ unsettledBeyond: null, left: 1, credit: { left: 1, receipt } });
    expect(batch.credit()?.bought).toEqual(new Set(["a", "x"]));
    expect(await batch.credit()?.recall("a")).toBe("old a");
    expect(await batch.credit()?.recall("b")).toBeNull();
    expect(await batch.charge("b", answer)).toBe("bought answer");
    expect(asked).toHaveLength(1);
    await batch.end();
    expect(notes).toEqual([...followed, expect.stringMatching(/^bought/)]);
  });

  it("holds no free calls for lines that it bought", async () => {
    const { begin, notes } = open({ free: 5, known: true, begins: [paid], bought: ["a", "b"] });
    const batch = await begin(["a", "b", "c"], { payment });
    expect(batch.quota).toEqual({ free: free(4) });
    await batch.end();
    expect(notes).toEqual([...followed, "free given back"]);
  });

  it("is told that the credit is too small, with the lines that are missing", async () => {
    const { admit, notes, counts } = open({ free: 1, known: true, begins: [paid], lines: 2, bought: ["a"] });
    const outcome = await admit(["a", "b", "c", "d"], { payment });
    expect(outcome).toEqual(challenge(["credit_too_small"], 2, { free: free(0) }));
    expect(notes).toEqual([...followed, "free given back"]);
    expect(counts()).toEqual({ refused: 1 });
  });

  it("has no credit where the payment pays for no lines", async () => {
    const { admit } = open({ known: true, begins: [paid], lines: null, bought: ["x"] });
    expect(await admit(["a"], { payment })).toEqual(challenge(["credit_too_small"], 1, { free: free(0) }));
  });

  it("is refused where the payment was lost", async () => {
    const { admit, notes } = open({ free: 5, known: true, begins: [refused], status: "expired" });
    const quota = { free: free(5), pass: { status: "expired" } };
    const outcome = await admit(["a", "b"], { payment, passToken: "token" });
    expect(outcome).toEqual(challenge(["pass_expired", "payment_expired"], 2, quota));
    expect(notes).toEqual(["known?", `spent ${client}`, "begun for 1"]);
  });

  it("does not spend a request when its end cannot be told", async () => {
    const { admit, notes } = open({ known: true, begins: [broken] });
    await expect(admit(["a"], { payment })).rejects.toBe(broken);
    expect(notes).toEqual(followed);
  });

  it("is a new one where it was dropped unsent a moment ago", async () => {
    const { begin, notes, released } = open({ known: true, begins: ["verified", "verified"] });
    const batch = await begin(["a", "b"], { payment });
    expect(batch.unsettledBeyond).toBe(0);
    expect(notes).toEqual([...followed, "released", `spent ${client}`, "begun for 2"]);
    expect(released).toMatchObject([unused]);
  });

  it("is not looked for where the payment has no name", async () => {
    const { admit, notes } = open({ key: null, begins: [refused] });
    expect(await admit(["a"], { payment })).toMatchObject({ kind: "challenged" });
    expect(notes).toEqual([`spent ${client}`, "begun for 1"]);
    const taken = open({ key: null, begins: ["verified"] });
    await expect(taken.admit(["a"], { payment })).rejects.toThrow("a payment that is taken has a name");
  });
});
