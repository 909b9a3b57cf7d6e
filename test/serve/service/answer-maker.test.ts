import { describe, expect, it, vi } from "vitest";
import { CallerGone } from "../../../src/gather/explain/shared-runs.ts";
import { ServiceError } from "../../../src/kernel/error.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import type { AnswerKind, Sold } from "../../../src/serve/service/answer-kind.ts";
import { AnswerMaker } from "../../../src/serve/service/answer-maker.ts";

function logOf() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger("debug", (line) => lines.push(JSON.parse(line)));
  return { log, lines: () => lines.map(({ time: _time, ms: _ms, ...line }) => line) };
}

describe("what is logged of an answer", () => {
  const sold: Sold = { body: Buffer.from("{}"), etag: '"e"', source: "network" };
  const answersOf = (parts: Partial<AnswerKind<string, Sold>> = {}): AnswerKind<string, Sold> => ({
    ...{ event: "explain", nameOf: String, fieldsOf: (asked) => ({ asked }), known: () => undefined },
    ...{ make: async () => sold, contentOf: () => ({}), resultOf: () => "reverted", resultIn: () => "success" },
    ...parts,
  });
  const caller = { connection: {}, headers: {} };
  const client = "192.0.2.1" as Client;
  const origin = { caller, transport: "mcp" } as const;

  it("is one line for each that is made", async () => {
    const { log, lines } = logOf();
    expect(await new AnswerMaker(log).make(answersOf(), "x", origin, { via: "pass", client })).toBe(sold);
    expect(lines()).toMatchObject([
      { event: "explain", transport: "mcp", asked: "x", outcome: "reverted", via: "pass" },
    ]);
  });

  it("tells the time that it took", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    vi.advanceTimersByTime(1_000);
    const lines: Record<string, unknown>[] = [];
    const log = createLogger("info", (line) => lines.push(JSON.parse(line)));
    const make = async () => {
      vi.advanceTimersByTime(40);
      return sold;
    };
    await new AnswerMaker(log).make(answersOf({ make }), "x", origin, { via: "pass", client });
    expect(lines).toMatchObject([{ event: "explain", ms: 40 }]);
    vi.useRealTimers();
  });

  it("is one line for a thousand that were known", () => {
    const { log, lines } = logOf();
    const maker = new AnswerMaker(log);
    expect(maker.recall(answersOf(), "x")).toBeUndefined();
    expect(lines()).toEqual([]);
    for (let i = 0; i < 1_001; i++) expect(maker.recall(answersOf({ known: () => sold }), "x")).toBe(sold);
    expect(lines()).toMatchObject([
      { event: "hit", asked: "x", one_of: 1_000 },
      { event: "hit", asked: "x", one_of: 1_000 },
    ]);
  });

  it("is a warning where no source answered, unless the caller went away", async () => {
    const { log, lines } = logOf();
    const make = async (error: Error) => {
      const answers = answersOf({ make: () => Promise.reject(error) });
      await expect(new AnswerMaker(log).make(answers, "x", origin, { via: "open", client })).rejects.toBe(error);
    };
    await make(new ServiceError("overloaded"));
    await make(new Error("upstream_unavailable"));
    await make(new ServiceError("upstream_unavailable", undefined, { cause: new CallerGone() }));
    expect(lines()).toEqual([]);
    await make(new ServiceError("upstream_unavailable", "a.example: timeout"));
    expect(lines()).toMatchObject([
      {
        level: "warn",
        event: "refused",
        transport: "mcp",
        asked: "x",
        outcome: "upstream_unavailable",
        cause: "a.example: timeout",
      },
    ]);
  });
});
