import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { AdmittedBatch } from "../../../src/serve/access/batch/batch-metering.ts";
import { openVisitors, type Visitors } from "../../../src/serve/access/quota/visitors.ts";
import type { BatchRequest, BatchStream } from "../../../src/serve/service/batch/batch-request.ts";
import { type BatchParts, openBatch } from "../../../src/serve/service/batch/open-batch.ts";
import { ExplanationCounts } from "../../../src/serve/service/explanation-counts.ts";
import { hashOf } from "../../support/sample.ts";

const [a, b, c] = [hashOf(1), hashOf(2), hashOf(3)];
const quota = { free: { limit: 5, remaining: 4, resetSeconds: 60 } };
const refusal = { kind: "challenged", challenge: "price", quota };
const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
const tender = { passToken: "token", payment: undefined, claim: "claim" };

interface World {
  hashes?: (Hash | null)[];
  /** The answers that are known. */
  known?: Hash[];
  failing?: Hash[];
  /** The caller can go away, and does so while this is made. */
  gone?: Hash;
  visitors?: Visitors;
  read?: BatchRequest["read"];
  /** null: nothing is charged. */
  admits?: Partial<AdmittedBatch> | Error | null;
  rateFails?: boolean;
}

/** Opens a batch over fake parts. They note every call to them. */
function open({ hashes = [a, b], known = [], failing = [], admits = {}, ...world }: World = {}) {
  const notes: unknown[] = [];
  const note = (word: unknown) => void notes.push(word);
  const caller = new AbortController();
  const answerTo = (hash: Hash) => ({ body: Buffer.from(`about ${hash}`), source: "network" });
  const admitted = {
    ...{ kind: "admitted", worker: "worker", quota, unsettledBeyond: null, credit: () => null, creditLeft: () => 7 },
    charge: (hash: Hash, body: Buffer) => {
      note(`charge ${hash}`);
      return body;
    },
    end: async () => note("end"),
    ...admits,
  };
  const metering = {
    beginWork: (worker: string) => {
      note(`rate ${worker}`);
      if (world.rateFails) throw new ServiceError("rate_limited");
      return { grow: () => {}, check: () => {}, end: () => {} };
    },
    noteUnsent: (worker: string, count: number) => count > 0 && note(`unsent ${count} ${worker}`),
    quote: (call: object, refusal: unknown) => ({ kind: "challenged", challenge: { call, refusal }, quota }),
  };
  const batches = {
    admit: async (call: object) => {
      note(call);
      if (admits instanceof Error) throw admits;
      return admitted;
    },
  };
  const readClient = (remote: string) => remote;
  const parts = {
    access: admits === null ? null : { metering, batches },
    visitors: world.visitors ?? { readClient, forwarding: { isUntrusted: () => false } },
    maker: {
      recall: (_answers: unknown, hash: Hash) => (known.includes(hash) ? answerTo(hash) : undefined),
      make: async (
        _answers: unknown,
        hash: Hash,
        origin: { transport: string; caller: object },
        { via }: { via: string },
      ) => {
        note(`make ${hash} ${origin.transport} ${"gone" in origin.caller} ${via}`);
        if (world.gone === hash) caller.abort();
        if (failing.includes(hash)) throw new ServiceError("transaction_not_found");
        return answerTo(hash);
      },
    },
    answers: { resultOf: () => "success", resultIn: () => "success" },
    counts: new ExplanationCounts(),
    fail: (thrown: ServiceError, _request: object, left: unknown) => {
      return { failure: { body: { error: thrown.code, message: thrown.message, left } } };
    },
    log: createLogger("error", () => undefined),
  } as unknown as BatchParts;
  const request = {
    ...{ transport: "http", product: "batch", resource: "/explain/batch", isStopping: () => false },
    caller: {
      connection: { remoteAddress: "192.0.2.1" },
      headers: {},
      ...(world.gone && { gone: () => caller.signal }),
    },
    read: (metered: boolean) => {
      note(`read ${metered}`);
      if (world.read !== undefined) return world.read(metered);
      return {
        asked: hashes.map((hash) => (hash === null ? { hash, text: "x" } : { hash })),
        ...(metered && { tender }),
      };
    },
  } as unknown as BatchRequest;
  const told = async () => {
    const outcome = (await openBatch(request, parts)) as BatchStream;
    const lines: string[] = [];
    if (outcome.kind === "stream") for await (const { body } of outcome.lines) lines.push(String(body));
    return { outcome, lines: lines.map((line) => (line.startsWith("{") ? JSON.parse(line).error : line)) };
  };
  return { notes, told };
}

const made = (hash: Hash, gone = false) => `make ${hash} http ${gone} batch`;

describe("a batch where nothing is charged", () => {
  const visitorsOf = (rateLimitPerMinute: number, openCallsPerMinute: number) =>
    openVisitors({ rateLimitPerMinute, openCallsPerMinute, trustProxy: [] }, () => 1_000);

  it("tells a line for each hash, and makes each answer once", async () => {
    const parts = open({ admits: null, visitors: visitorsOf(0, 0), hashes: [b, null, a, b, c], known: [c] });
    const { outcome, lines } = await parts.told();
    expect(lines).toEqual([`about ${b}`, "invalid_tx_hash", `about ${a}`, `about ${b}`, `about ${c}`]);
    expect([outcome.kind, outcome.quota, outcome.credit, outcome.creditLeft()]).toEqual([
      ...["stream", undefined, null, null],
    ]);
    expect(parts.notes).toEqual(["read false", made(b), made(a)]);
  });

  it("gathers as much as a client may", async () => {
    const parts = open({ admits: null, visitors: visitorsOf(0, 1), known: [c], hashes: [a, b, c] });
    expect((await parts.told()).lines).toEqual([`about ${a}`, "rate_limited", `about ${c}`]);
  });

  it("makes nothing for a client that asks too often, and tells it what is known", async () => {
    const tired = visitorsOf(1, 0);
    tired.limits.work.spend(tired.readClient("192.0.2.1"));
    const parts = open({ admits: null, visitors: tired, known: [b] });
    expect((await parts.told()).lines).toEqual(["rate_limited", `about ${b}`]);
    expect(parts.notes).toEqual(["read false"]);
  });

  it("counts the lines of a caller who leaves, except those up to a quarter of the limit", async () => {
    const visitors = visitorsOf(2, 0);
    const client = visitors.readClient("192.0.2.1");
    await open({ admits: null, visitors, gone: b, hashes: [a, b, c] }).told();
    // Two were begun. The first one is forgiven.
    expect(visitors.limits.work.wait(client)).toBe(0);
    visitors.limits.work.spend(client);
    expect(visitors.limits.work.wait(client)).toBe(30);
  });

  it("has no price", async () => {
    const parts = open({ admits: null, visitors: visitorsOf(0, 0), read: () => ({ refusal: null }) });
    await expect(parts.told()).rejects.toThrow("nobody asks for the price where nothing is metered");
  });
});

describe("a batch that is charged", () => {
  const call = { client: "192.0.2.1", requests: [a, b], isForwarded: false, ...tender };
  const begin = ["read true", call];

  it("is admitted with what it asks for, each once, and charged line by line", async () => {
    const { notes, told } = open({ hashes: [a, null, b, a], known: [b] });
    const { outcome, lines } = await told();
    expect(lines).toEqual([`about ${a}`, "invalid_tx_hash", `about ${b}`, `about ${a}`]);
    expect([outcome.quota, outcome.credit, outcome.creditLeft()]).toEqual([quota, null, 7]);
    expect(notes).toEqual([...begin, "rate worker", made(a), `charge ${a}`, `charge ${b}`, "end"]);
  });

  it("gives the signal of a caller to all lines, and counts those that were worked on when he has gone", async () => {
    const { notes, told } = open({ hashes: [c, a, b], known: [c], gone: a });
    expect((await told()).lines).toEqual([]);
    expect(notes.slice(2)).toEqual(["rate worker", made(a, true), "unsent 1 worker", "end"]);
  });

  it("does not make a line for a client that asks too often by then", async () => {
    const { notes, told } = open({ rateFails: true });
    expect((await told()).lines).toEqual(["rate_limited", "rate_limited"]);
    expect(notes.slice(2)).toEqual(["rate worker", "rate worker", "end"]);
  });

  it("tells the price to a client that asks for it", async () => {
    const refusal = new ServiceError("invalid_json");
    const { notes, told } = open({ read: () => ({ refusal }) });
    const challenge = { call: { client: "192.0.2.1", product: "batch", resource: "/explain/batch" }, refusal };
    expect((await told()).outcome).toEqual({ kind: "challenged", challenge, quota });
    expect(notes).toEqual(begin.slice(0, 1));
  });

  it("is not begun where a payment is asked for", async () => {
    const { notes, told } = open({ admits: refusal as never });
    expect((await told()).outcome).toMatchObject(refusal);
    expect(notes).toEqual(begin);
  });

  it("does no work for lines that were bought before", async () => {
    const credit = { receipt, bought: new Set([a]), left: 1, recall: () => "bought a", buy: () => null };
    const { notes, told } = open({ admits: { credit: () => credit } });
    const { outcome, lines } = await told();
    expect(lines).toEqual(["bought a", `about ${b}`]);
    expect(outcome.credit).toBe(credit);
    expect(notes.slice(2)).toEqual(["rate worker", made(b), `charge ${b}`, "end"]);
  });
});

describe("the payment of a batch", () => {
  const settling = (settle: () => Promise<unknown>, unsettledBeyond: number | null = 1) => {
    const settled: number[] = [];
    const admits = {
      unsettledBeyond,
      settle: () => {
        settled.push(1);
        return settle() as never;
      },
    };
    return { settled, admits };
  };

  it.each<[string, number | null, World, number]>([
    ["when there are more answers than nothing else covers", 1, {}, 1],
    ["not where as many are covered as there are answers", 1, { failing: [b] }, 0],
    ["not where all are covered", null, {}, 0],
    ["not where the caller has gone by then", 1, { gone: b }, 0],
  ])("is settled %s", async (_name, beyond, world, times) => {
    const { settled, admits } = settling(async () => null, beyond);
    const { notes, told } = open({ ...world, admits });
    expect((await told()).outcome.kind).toBe("stream");
    expect(settled).toHaveLength(times);
    expect(notes.at(-1)).toBe("end");
  });

  it("ends the batch when it is refused, or when its end is not known", async () => {
    const unsent = ["unsent 2 worker", "end"];
    const refused = settling(async () => refusal);
    const first = open({ admits: refused.admits });
    expect((await first.told()).outcome).toBe(refusal);
    expect(first.notes.slice(-3)).toEqual([made(b), ...unsent]);
    const pending = new ServiceError("settlement_pending");
    const failing = settling(() => Promise.reject(pending));
    const second = open({ admits: failing.admits });
    await expect(second.told()).rejects.toBe(pending);
    expect(second.notes.slice(-3)).toEqual([made(b), ...unsent]);
  });

  it("is not begun where the batch is not admitted", async () => {
    const broken = new ServiceError("ledger_unavailable");
    const { notes, told } = open({ admits: broken });
    await expect(told()).rejects.toBe(broken);
    expect(notes).toHaveLength(2);
  });
});
