import { LRUCache } from "lru-cache";
import { http } from "viem";
import { readQuantity } from "../kernel/hex.ts";

export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/** The answer to one call of a batch. An error here is the call's own; the endpoint is well. */
export type RpcAnswer = { ok: true; result: unknown } | { ok: false; code: number | null; message: string };

/** Why an endpoint as a whole gave nothing. `refused`: it serves another chain. `aborted`: the caller's time was up. */
export type EndpointFault = "timeout" | "unusable" | "refused" | "aborted";

export class EndpointError extends Error {
  readonly fault: EndpointFault;

  constructor(fault: EndpointFault, options: { cause?: unknown } = {}) {
    super(`endpoint ${fault}`, options);
    this.name = "EndpointError";
    this.fault = fault;
  }
}

/** What an endpoint taught us; forgotten after a while, because endpoints recover and change. */
export type Lesson = "cooling" | "wrong chain" | "slow trace" | `no ${string}`;

/** One JSON-RPC server and what is known about it. */
export interface Endpoint {
  /** Sends all calls in one HTTP batch and answers in their order. Rejects with EndpointError. */
  ask(calls: readonly RpcCall[], signal: AbortSignal): Promise<RpcAnswer[]>;
  knows(lesson: Lesson): boolean;
  learn(lesson: Lesson): void;
  forget(lesson: Lesson): void;
}

export interface EndpointOptions {
  chainId: number;
  /** Milliseconds for one batch, its body included. */
  callTimeoutMs: number;
  clock: Clock;
}

/** Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

/** Makes the client of one endpoint. Its chain id rides in the first batch and is asked until it was right once. */
export function createEndpoint(url: string, { chainId, callTimeoutMs, clock }: EndpointOptions): Endpoint {
  const send = createSender(url, callTimeoutMs);
  const lessons = new LRUCache<Lesson, true>({ max: 32, ttl: lessonMs.other, ttlResolution: 0, perf: clock });
  let chainChecked = false;

  function learn(lesson: Lesson): void {
    lessons.set(lesson, true, { ttl: lesson in lessonMs ? lessonMs[lesson as keyof typeof lessonMs] : lessonMs.other });
  }

  function checkChain(answer: RpcAnswer | undefined): void {
    const given = answer?.ok === true ? readQuantity(answer.result) : undefined;
    if (given === undefined) throw new EndpointError("unusable");
    if (given !== BigInt(chainId)) {
      learn("wrong chain");
      throw new EndpointError("refused");
    }
    chainChecked = true;
  }

  async function ask(calls: readonly RpcCall[], signal: AbortSignal): Promise<RpcAnswer[]> {
    const checking = !chainChecked;
    const answers = await send(checking ? [{ method: "eth_chainId", params: [] }, ...calls] : calls, signal);
    if (checking) checkChain(answers.shift());
    lessons.delete("cooling");
    return answers;
  }

  return {
    knows: (lesson) => lessons.has(lesson),
    forget: (lesson) => void lessons.delete(lesson),
    learn,
    async ask(calls, signal) {
      try {
        return await ask(calls, signal);
      } catch (error) {
        const failure = error instanceof EndpointError ? error : new EndpointError("unusable", { cause: error });
        if (failure.fault === "timeout" || failure.fault === "unusable") learn("cooling");
        throw failure;
      }
    },
  };
}

const lessonMs = { cooling: 10_000, "wrong chain": 300_000, "slow trace": 60_000, other: 600_000 } as const;

/** Traces of the largest transactions are some tens of megabytes of JSON. */
const responseBytesMax = 64 * 1024 * 1024;

type Sender = (calls: readonly RpcCall[], signal: AbortSignal) => Promise<RpcAnswer[]>;

/** viem's batching joins calls that share a signal: a signal for each batch keeps strangers' calls out of it. */
function createSender(url: string, callTimeoutMs: number): Sender {
  const config = {
    batch: true,
    raw: true,
    retryCount: 0,
    timeout: callTimeoutMs,
    maxResponseBodySize: responseBytesMax,
  };
  const request = http(url, config)({ retryCount: 0 }).request as (
    call: RpcCall,
    options: { signal: AbortSignal },
  ) => Promise<unknown>;

  return async (calls, signal) => {
    const timer = AbortSignal.timeout(callTimeoutMs);
    const either = AbortSignal.any([signal, timer]);
    try {
      const answers = await Promise.all(calls.map((call) => request(call, { signal: either })));
      return answers.map(readAnswer);
    } catch (cause) {
      const fault = signal.aborted ? "aborted" : timer.aborted ? "timeout" : "unusable";
      throw new EndpointError(fault, { cause });
    }
  };
}

/** `{error, result}` as viem's raw mode gives it. Neither of them: the server dropped the call, so no answer of it is trusted. */
function readAnswer(raw: unknown): RpcAnswer {
  const { error, result } = (raw ?? {}) as { error?: { code?: unknown; message?: unknown }; result?: unknown };
  if (error !== undefined && error !== null) {
    const code = typeof error.code === "number" ? error.code : null;
    return { ok: false, code, message: typeof error.message === "string" ? error.message : "" };
  }
  if (result === undefined) throw new EndpointError("unusable");
  return { ok: true, result };
}
