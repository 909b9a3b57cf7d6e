import type { Explainer } from "../../../src/gather/explain/explain.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import type { AnswerKind, Sold } from "../../../src/serve/service/answer-kind.ts";
import type { AnswerRequest } from "../../../src/serve/service/service-request.ts";

export const sold: Sold = { body: Buffer.from('{"a":1}'), etag: '"e"', source: "recording" };
export const caller = { connection: { remoteAddress: "192.0.2.1" }, headers: { "x-forwarded-for": "198.51.100.2" } };

/** What is known and made, and how the request reads. */
interface Asking {
  known?: Sold;
  make?: () => Promise<Sold>;
  read?: AnswerRequest<string, Sold>["read"];
  isHeld?: boolean;
}

/** A kind of answer, and a request for one. */
export function askingOf({ known, make = async () => sold, read, isHeld = false }: Asking = {}) {
  const answers: AnswerKind<string, Sold> = {
    ...{ event: "explain", nameOf: (asked) => `name of ${asked}`, fieldsOf: (asked) => ({ asked }) },
    ...{
      known: () => known,
      make,
      contentOf: () => ({}),
      resultOf: () => "reverted",
      resultIn: (body) => body as never,
    },
  };
  const request: AnswerRequest<string, Sold> = {
    ...{ transport: "http", product: "explain", resource: "/explain", caller, isHeld: () => isHeld },
    read: read ?? (() => ({ asked: "x" })),
  };
  return { answers, request };
}

export function logged() {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger("info", (line) => lines.push(JSON.parse(line)));
  return { log, lines: () => lines.map(({ time: _time, ms: _ms, ...line }) => line) };
}

export const explainer = {} as Explainer;
