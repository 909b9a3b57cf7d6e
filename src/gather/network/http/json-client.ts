import { setTimeout as sleep } from "node:timers/promises";
import pLimit, { type LimitFunction } from "p-limit";
import { unlessAborted } from "../../../kernel/abort.ts";
import { parseJson } from "../../../kernel/canonical.ts";
import { type Clock, EndpointHealth, type EndpointKind } from "../health/endpoint-health.ts";
import { watchedFetch } from "../health/fault-reason.ts";
import { type BodyBudget, BodyBudgetError, type BodyShare } from "./body-budget.ts";

/** `failed`: none, or unreadable. */
export type JsonAnswer = { status: number; body: unknown } | "failed";

export interface JsonClientOptions {
  kind: EndpointKind;
  clock: Clock;
  /** Bearer token. null: none, though the server may want one. */
  key?: string | null;
  /** At once, per capability. */
  concurrency?: number;
  /** Bytes of answers, shared with other servers. */
  bodies?: BodyBudget | undefined;
  /** Failures in a row before a rest. */
  breakAfter?: number;
  /** Milliseconds of rest. */
  restMs?: number;
  /** 0 to 1; spreads retries. */
  random?: () => number;
}

/**
 * Retries a passing fault once; rests after several failures in a row, or on 429. A timeout of the caller's signal is the server's failure;
 * a caller that leaves is not.
 */
export function createJsonClient(url: string, options: JsonClientOptions) {
  const { kind, clock, key, concurrency = 8, bodies, breakAfter = 5, restMs = 10_000, random = Math.random } = options;
  const base = url.replace(/\/+$/, "");
  const health = new EndpointHealth(kind, new URL(base).host, clock);
  const slots = new Map<string, LimitFunction>();

  async function tryOnce(path: string, signal: AbortSignal): Promise<Outcome> {
    const share = bodies?.share();
    try {
      return await request(`${base}${path}`, { signal, health, share, key });
    } catch (error) {
      if (isTimeout(signal)) health.note("timeout");
      const ours = error instanceof BodyBudgetError || (signal.aborted && !isTimeout(signal));
      return { kind: ours ? "cancelled" : "fault" };
    } finally {
      share?.giveBack();
    }
  }

  async function ask(path: string, signal: AbortSignal, capability: string): Promise<JsonAnswer> {
    let outcome = await tryOnce(path, signal);
    if (outcome.kind === "fault" && !signal.aborted) {
      await sleep(retryMs * (0.5 + random()), undefined, { signal }).catch(() => {});
      if (!signal.aborted) outcome = await tryOnce(path, signal);
    }
    if (outcome.kind === "answer") health.succeed(capability);
    if (outcome.kind === "busy") health.rest("busy", Math.min(outcome.afterMs ?? restMs, restMax), capability);
    if (outcome.kind === "fault" || outcome.kind === "refused") health.fail({ breakAfter, restMs }, capability);
    if (outcome.kind === "keyless") health.rest("key_missing", restMax, capability);
    return outcome.kind === "answer" ? outcome.answer : "failed";
  }

  return {
    /** Host; the source in case files. */
    name: health.name,
    health,
    /** Never rejects. Each `capability` has its own slots and health: one slow list disturbs no other. */
    async get(path: string, signal: AbortSignal, capability = "all"): Promise<JsonAnswer> {
      if (health.rests(capability)) return "failed";
      const limit = slots.get(capability) ?? pLimit(concurrency);
      slots.set(capability, limit);
      let started = false;
      const work = limit(async () => {
        if (signal.aborted) return "failed";
        started = true;
        return await ask(path, signal, capability);
      });
      // Waiting ends with the signal; a started request ends by itself with it.
      return unlessAborted<JsonAnswer>(work, signal, () => (started ? work : "failed"));
    },
  };
}

type Outcome =
  | { kind: "answer"; answer: Exclude<JsonAnswer, "failed"> }
  | { kind: "busy"; afterMs: number | undefined }
  | { kind: "fault" | "refused" | "keyless" | "cancelled" };

const retryMs = 60;
const restMax = 120_000;
/** Far above a page of fifty transactions. */
const bodyBytesMax = 8 * 1024 * 1024;

interface Sending {
  signal: AbortSignal;
  health: EndpointHealth;
  share: BodyShare | undefined;
  key: string | null | undefined;
}

async function request(url: string, { signal, health, share, key }: Sending): Promise<Outcome> {
  const authorization = key ? { authorization: `Bearer ${key}` } : undefined;
  const response = await watchedFetch(health, url, {
    signal,
    headers: { accept: "application/json", ...authorization },
  });
  if (response.status === 429) {
    await response.body?.cancel();
    const after = Number(response.headers.get("retry-after"));
    return { kind: "busy", afterMs: after > 0 ? after * 1000 : undefined };
  }
  // 402: keys are sold.
  if (key === null && (response.status === 401 || response.status === 402)) {
    await response.body?.cancel();
    return { kind: "keyless" };
  }
  const unauthorized = response.status === 401 || response.status === 403;
  if (response.status >= 500 || unauthorized) {
    await response.body?.cancel();
    return { kind: unauthorized ? "refused" : "fault" };
  }
  const body = parseJson(await readBody(response, bodyBytesMax, share));
  // Of a refusal the status is enough.
  if (body === undefined && response.ok) return { kind: "fault" };
  return { kind: "answer", answer: { status: response.status, body } };
}

/** Throws above `bytesMax`, or as `share`. */
export async function readBody(response: Response, bytesMax: number, share?: BodyShare): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new Error("the answer is too long");
    share?.take(chunk.byteLength);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isTimeout(signal: AbortSignal): boolean {
  return (signal.reason as { name?: string } | undefined)?.name === "TimeoutError";
}
