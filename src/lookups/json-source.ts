import { setTimeout as sleep } from "node:timers/promises";

/** A JSON answer with its HTTP status, or `failed`: nobody answered, or nothing that can be read. */
export type JsonAnswer = { status: number; body: unknown } | "failed";

/** One HTTP server that answers JSON, with its manners. Never rejects. */
export interface JsonSource {
  /** Host of the server, for the record. */
  readonly name: string;
  get(path: string, signal: AbortSignal): Promise<JsonAnswer>;
}

export interface JsonSourceOptions {
  clock: { now(): number };
  /** Requests under way at once. */
  concurrency?: number;
  /** Failures in a row after which it is left alone. */
  breakAfter?: number;
  /** Milliseconds for which it is then left alone. */
  restMs?: number;
  /** 0 to 1: spreads retries. */
  random?: () => number;
}

/**
 * Makes the client of one server: at most so many requests at once, one more try after a fault that may pass, rest after several
 * failures in a row or when the server asks for it (429). Timeouts of the caller's signal count as the server's failures.
 */
export function createJsonSource(url: string, options: JsonSourceOptions): JsonSource {
  const { clock, concurrency = 8, breakAfter = 5, restMs = 10_000, random = Math.random } = options;
  const base = url.replace(/\/+$/, "");
  const slots = new Slots(concurrency);
  let failures = 0;
  let restUntil = 0;

  function note(outcome: Outcome): void {
    if (outcome.kind === "answer") {
      failures = 0;
      restUntil = 0;
    } else if (outcome.kind === "busy") restUntil = clock.now() + Math.min(outcome.afterMs ?? restMs, restMax);
    // The first failure after a rest rests again: `failures` stays at its mark until an answer comes.
    else if (++failures >= breakAfter) restUntil = clock.now() + restMs;
  }

  async function tryOnce(path: string, signal: AbortSignal): Promise<Outcome> {
    try {
      return await request(`${base}${path}`, signal);
    } catch {
      return { kind: signal.aborted && !isTimeout(signal) ? "cancelled" : "fault" };
    }
  }

  return {
    name: new URL(base).host,
    async get(path, signal) {
      if (clock.now() < restUntil || !(await slots.take(signal))) return "failed";
      try {
        let outcome = await tryOnce(path, signal);
        if (outcome.kind === "fault" && !signal.aborted) {
          await sleep(retryMs * (0.5 + random()), undefined, { signal }).catch(() => {});
          if (!signal.aborted) outcome = await tryOnce(path, signal);
        }
        if (outcome.kind !== "cancelled") note(outcome);
        return outcome.kind === "answer" ? outcome.answer : "failed";
      } finally {
        slots.give();
      }
    },
  };
}

type Outcome =
  | { kind: "answer"; answer: Exclude<JsonAnswer, "failed"> }
  | { kind: "busy"; afterMs: number | undefined }
  | { kind: "fault" | "cancelled" };

const retryMs = 60;
const restMax = 120_000;
/** A page of fifty transactions with their calldata stays far below. */
const bodyBytesMax = 8 * 1024 * 1024;

async function request(url: string, signal: AbortSignal): Promise<Outcome> {
  const response = await fetch(url, { signal, headers: { accept: "application/json" } });
  if (response.status === 429) {
    await response.body?.cancel();
    const after = Number(response.headers.get("retry-after"));
    return { kind: "busy", afterMs: after > 0 ? after * 1000 : undefined };
  }
  if (response.status >= 500) {
    await response.body?.cancel();
    return { kind: "fault" };
  }
  const body: unknown = JSON.parse(await readBody(response, bodyBytesMax));
  return { kind: "answer", answer: { status: response.status, body } };
}

/** The body as text. Throws when it is longer than `bytesMax`. */
export async function readBody(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isTimeout(signal: AbortSignal): boolean {
  return (signal.reason as { name?: string } | undefined)?.name === "TimeoutError";
}

/** A counting gate: whoever finds no slot waits in line until one is given back or the signal ends the wait. */
class Slots {
  #free: number;
  readonly #line: Set<(got: boolean) => void> = new Set();

  constructor(count: number) {
    this.#free = count;
  }

  take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const settle = (got: boolean) => {
        this.#line.delete(settle);
        signal.removeEventListener("abort", giveUp);
        resolve(got);
      };
      const giveUp = () => settle(false);
      this.#line.add(settle);
      signal.addEventListener("abort", giveUp);
    });
  }

  give(): void {
    const [next] = this.#line;
    if (next === undefined) this.#free++;
    else next(true);
  }
}
