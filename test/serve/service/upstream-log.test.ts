import { expect, it, vi } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import type { AnswerKind, Sold } from "../../../src/serve/service/answer-kind.ts";
import { AnswerMaker } from "../../../src/serve/service/answer-maker.ts";

it("what no source answered is logged once, with the time that was waited for it", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.advanceTimersByTime(1_000);
  const lines: Record<string, unknown>[] = [];
  const maker = new AnswerMaker(createLogger("info", (line) => lines.push(JSON.parse(line))));
  const gone = AbortSignal.abort();
  const error = new ServiceError("upstream_unavailable", "a.example: timeout");
  const asked: unknown[] = [];
  const answers = {
    event: "explain",
    fieldsOf: (hash: string) => ({ tx_hash: hash }),
    make: async (...given: unknown[]) => {
      asked.push(...given);
      vi.advanceTimersByTime(40.4);
      throw error;
    },
  } as unknown as AnswerKind<string, Sold>;
  const caller = { connection: {}, headers: {}, gone: () => gone };
  await expect(
    maker.make(answers, "x", { caller, transport: "http" }, { via: "open", client: "192.0.2.1" as Client }),
  ).rejects.toBe(error);
  vi.useRealTimers();
  expect(asked).toEqual(["x", gone, { client: "192.0.2.1", free: false }]);
  expect(lines.map(({ time: _time, ...line }) => line)).toEqual([
    {
      ...{ level: "warn", event: "refused", transport: "http", tx_hash: "x", ms: 40 },
      ...{ outcome: "upstream_unavailable", cause: "a.example: timeout" },
    },
  ]);
});
