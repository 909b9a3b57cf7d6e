import { describe, expect, it, vi } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { Hash } from "../../../src/kernel/hex.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { tellLines } from "../../../src/serve/service/batch/line-teller.ts";
import { LineWork } from "../../../src/serve/service/batch/line-work.ts";
import { ExplanationCounts } from "../../../src/serve/service/explanation-counts.ts";
import { hashOf } from "../../support/sample.ts";

describe("the lines of a batch", () => {
  interface World {
    asked: ({ hash: Hash } | { hash: null; text: string })[];
    failing?: readonly Hash[];
    bought?: readonly Hash[];
    charged?: boolean;
    gone?: AbortSignal;
    /** Is called while an answer is made. */
    making?: () => void;
    recalled?: string | null;
    unpaid?: readonly Hash[];
    /** Nothing is known: each answer takes work. */
    slow?: boolean;
  }

  function tell({ asked, failing = [], bought = [], charged = true, gone, ...world }: World) {
    const { making = () => {}, recalled = "earlier", unpaid = [], slow = false } = world;
    const unsent: number[] = [];
    const lines: Record<string, unknown>[] = [];
    const log = createLogger("info", (line) => lines.push(JSON.parse(line)));
    const done: string[] = [];
    const counts = new ExplanationCounts();
    const own = [...new Set(asked.flatMap(({ hash }) => hash ?? []))].filter((hash) => !bought.includes(hash));
    const make = (hash: Hash) => {
      making();
      const isMissing = failing.includes(hash);
      const missing = new ServiceError("transaction_not_found", "no");
      if (isMissing && !slow) throw missing;
      const answer = { body: Buffer.from(`{"tx_hash":"${hash}"}`), source: "network" };
      return (slow ? (isMissing ? Promise.reject(missing) : Promise.resolve(answer)) : answer) as never;
    };
    const admitted = charged
      ? {
          quota: "quota",
          credit: () => (bought.length === 0 ? null : { bought: new Set(bought), recall: async () => recalled }),
          charge: async (hash: Hash, body: Buffer) => {
            if (unpaid.includes(hash)) throw new ServiceError("line_not_paid", "no credit");
            done.push(`charge ${hash}`);
            return body;
          },
          end: async () => done.push("end"),
        }
      : null;
    const stream = tellLines(asked, {
      ...{ request: { transport: "http" } as never, gone, counts, log, admitted: admitted as never },
      work: new LineWork({ hashes: own, make, gone: undefined, isStopping: () => false }),
      answers: { resultOf: () => "reverted", resultIn: () => "success" } as never,
      fail: (thrown, _request, known) => {
        const { code, message } = thrown as ServiceError;
        done.push(`fail ${code} ${known?.quota}`);
        return { failure: { body: { error: code, message } } } as never;
      },
      noteUnsent: (count) => unsent.push(count),
    });
    return { stream, done, counts, lines, unsent };
  }

  const bodies = async (stream: AsyncIterable<{ body: Buffer | string }>) => {
    const all: string[] = [];
    for await (const { body } of stream) all.push(String(body));
    return all;
  };
  const [a, b, c] = [hashOf(1), hashOf(2), hashOf(3)];
  const line = (hash: Hash) => `{"tx_hash":"${hash}"}`;

  it("are charged one by one, a hash that comes again once", async () => {
    const { stream, done, counts, lines } = tell({ asked: [{ hash: a }, { hash: b }, { hash: a }] });
    expect(await bodies(stream)).toEqual([line(a), line(b), line(a)]);
    expect(done).toEqual([`charge ${a}`, `charge ${b}`, "end"]);
    expect(counts.read()).toEqual({ success: 0, reverted: 2 });
    expect(lines).toMatchObject([{ event: "batch", transport: "http", lines: 3, told: 3 }]);
  });

  it("are error objects where there is no answer, and those cost nothing", async () => {
    const asked = [{ hash: null, text: "x" }, { hash: a }, { hash: b }] as World["asked"];
    const { stream, done } = tell({ asked, failing: [a] });
    expect((await bodies(stream)).map((body) => JSON.parse(body))).toEqual([
      { error: "invalid_tx_hash", message: new ServiceError("invalid_tx_hash").message, tx_hash: "x" },
      { error: "transaction_not_found", message: "no", tx_hash: a },
      { tx_hash: b },
    ]);
    expect(done).toEqual(["fail invalid_tx_hash quota", "fail transaction_not_found quota", `charge ${b}`, "end"]);
  });

  it("are told again for nothing where they were bought before", async () => {
    const { stream, done, counts } = tell({ asked: [{ hash: a }, { hash: b }], bought: [a] });
    expect(await bodies(stream)).toEqual(["earlier", line(b)]);
    expect(done).toEqual([`charge ${b}`, "end"]);
    expect(counts.read()).toEqual({ success: 1, reverted: 1 });
  });

  it("are free where nothing is charged", async () => {
    const { stream, done } = tell({ asked: [{ hash: a }], charged: false });
    expect(await bodies(stream)).toEqual([line(a)]);
    expect(done).toEqual([]);
  });

  it("are not charged to a caller who has gone", async () => {
    const caller = new AbortController();
    const { stream, done, lines } = tell({ asked: [{ hash: a }, { hash: b }], gone: caller.signal });
    expect(String((await stream.next()).value?.body)).toBe(line(a));
    caller.abort();
    expect((await stream.next()).done).toBe(true);
    expect(done).toEqual([`charge ${a}`, "end"]);
    expect(lines).toMatchObject([{ lines: 2, told: 1 }]);
    const late = tell({ asked: [{ hash: a }], gone: AbortSignal.abort() });
    expect(await bodies(late.stream)).toEqual([]);
    expect(late.done).toEqual(["end"]);
  });

  it.each<[string, World["asked"][number], Hash[]]>([
    ["have no hash", { hash: null, text: "x" }, []],
    ["were bought before", { hash: a }, [a]],
    ["came before", { hash: b }, []],
  ])("are not told to a caller who has gone, even where they %s", async (_name, next, bought) => {
    const caller = new AbortController();
    const { stream, done, lines, counts } = tell({ asked: [{ hash: b }, next], bought, gone: caller.signal });
    await stream.next();
    caller.abort();
    expect(await bodies(stream)).toEqual([]);
    expect(done).toEqual([`charge ${b}`, "end"]);
    expect(lines).toMatchObject([{ lines: 2, told: 1 }]);
    expect(counts.read()).toEqual({ success: 0, reverted: 1 });
  });

  it("are not charged to a caller who goes while they are made", async () => {
    const caller = new AbortController();
    const { stream, done } = tell({ asked: [{ hash: a }], gone: caller.signal, making: () => caller.abort() });
    expect(await bodies(stream)).toEqual([]);
    expect(done).toEqual(["end"]);
  });

  it.each<["goes away" | "reads no more", readonly Hash[], number]>([
    ["goes away", [], 2],
    ["goes away", [a, b], 2],
    ["reads no more", [], 2],
  ])("are counted where a caller who %s had them worked on and was not told (%j fail)", async (how, failing, count) => {
    const caller = new AbortController();
    const asked = [{ hash: a }, { hash: b }, { hash: c }];
    const { stream, unsent, done } = tell({ asked, failing, slow: true, gone: caller.signal });
    await stream.next();
    expect(unsent).toEqual([]);
    if (how === "goes away") caller.abort();
    else await stream.return();
    expect(await bodies(stream)).toEqual([]);
    expect(unsent).toEqual([count]);
    expect(done).toEqual([failing.includes(a) ? "fail transaction_not_found quota" : `charge ${a}`, "end"]);
  });

  it.each([true, false])("are counted no more where all of them were told (charged: %s)", async (charged) => {
    const asked = [{ hash: a }, { hash: null, text: "x" }, { hash: b }, { hash: a }] as World["asked"];
    const { stream, unsent } = tell({ asked, charged, failing: [b], slow: true });
    expect(await bodies(stream)).toHaveLength(4);
    expect(unsent).toEqual([0]);
    const unpaid = tell({ asked, unpaid: [a], slow: true });
    await bodies(unpaid.stream);
    expect(unpaid.unsent).toEqual([0]);
  });

  it("are error objects where nothing pays for them, or where a bought one is missing", async () => {
    const { stream, done, counts } = tell({ asked: [{ hash: a }, { hash: b }], unpaid: [a] });
    expect((await bodies(stream)).map((body) => JSON.parse(body))).toEqual([
      { error: "line_not_paid", message: "no credit", tx_hash: a },
      { tx_hash: b },
    ]);
    expect(done).toEqual(["fail line_not_paid quota", `charge ${b}`, "end"]);
    expect(counts.read()).toEqual({ success: 0, reverted: 1 });
    const missing = tell({ asked: [{ hash: a }], bought: [a], recalled: null });
    expect(JSON.parse((await bodies(missing.stream))[0] as string)).toMatchObject({
      message: "assertion failed: lines that are bought are kept",
    });
    expect(missing.counts.read()).toEqual({ success: 0, reverted: 0 });
  });

  it("are logged with the time that they took", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.advanceTimersByTime(1_000);
    const { stream, lines } = tell({ asked: [{ hash: a }], making: () => vi.advanceTimersByTime(40) });
    await bodies(stream);
    expect(lines).toMatchObject([{ event: "batch", ms: 40 }]);
    vi.useRealTimers();
  });
});
