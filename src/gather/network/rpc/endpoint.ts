import pLimit from "p-limit";
import { http } from "viem";
import { openDeadline, unlessAborted } from "../../../kernel/abort.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import { type Clock, EndpointHealth } from "../health/endpoint-health.ts";
import { watchedFetch } from "../health/fault-reason.ts";
import { type BodyBudget, BodyBudgetError, type BodyShare, countBody } from "../http/body-budget.ts";

export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/** An error belongs to the call; the endpoint works. */
export type RpcAnswer = { ok: true; result: unknown } | RpcFailure;

/** `data`: of a revert, where the node gives it. */
export interface RpcFailure {
  ok: false;
  code: number | null;
  message: string;
  data?: unknown;
}

/** Code 3 in geth; others only say it. */
export function isRevert({ code, message }: RpcFailure): boolean {
  return code === 3 || /execution reverted|out of gas|invalid opcode/i.test(message);
}

/** No answers at all. `refused`: other chain. `aborted`: the caller's time is up. `crowded`: we hold too many bytes. */
export type EndpointFault = "timeout" | "unusable" | "refused" | "aborted" | "crowded";

/** Own sockets each: explanations do not delay payments. */
export type Purpose = "explanation" | "service";

/** One JSON-RPC server. */
export type Endpoint = ReturnType<typeof createEndpoint>;

export interface EndpointOptions {
  chainId: number;
  callTimeoutMs: number;
  /** At once, for explanations. */
  socketsMax?: number | undefined;
  /** Shared with other servers. */
  bodies?: BodyBudget;
  clock: Clock;
}

/** The chain id is asked with the first batch, after each failure, and now and then: one name may lead to another node later. */
export function createEndpoint(url: string, options: EndpointOptions) {
  const { chainId, callTimeoutMs, clock } = options;
  const health = new EndpointHealth("rpc", new URL(url).host, clock);
  const send = createSender(url, options, health);
  /** Batches until the chain is asked again. */
  let trusted = 0;
  let wasRight = false;

  function checkChain(answer: RpcAnswer | undefined): EndpointFault | undefined {
    const given = answer?.ok === true ? readQuantity(answer.result) : undefined;
    if (given === undefined) return "unusable";
    if (given !== BigInt(chainId)) {
      trusted = 0;
      health.rest("wrong_chain", restMs.chain, "chain");
      return "refused";
    }
    wasRight = true;
    trusted = serviceLimits.batchesOfChainMax;
    health.succeed("chain");
    return undefined;
  }

  const ask: Sender = async (calls, signal, purpose) => {
    if (trusted > 0) {
      trusted--;
      return send(calls, signal, purpose);
    }
    const answers = await send([{ method: "eth_chainId", params: [] }, ...calls], signal, purpose);
    if (typeof answers === "string") return answers;
    return checkChain(answers[0]) ?? answers.slice(1);
  };

  return {
    /** For a batch, with its body. */
    callTimeoutMs,
    /** Capabilities beside `all`: `chain` (other chain), `records` (contradictions), `traces` (slow), missing methods. */
    health,
    /** Answered for the right chain and has not failed since. */
    isWell: () => wasRight && !health.isFailing() && !health.isFailing("chain"),
    /** One HTTP batch, answers in order. Never rejects. */
    async ask(
      calls: readonly RpcCall[],
      signal: AbortSignal,
      purpose: Purpose = "explanation",
    ): Promise<RpcAnswer[] | EndpointFault> {
      const answers = await ask(calls, signal, purpose);
      if (answers === "timeout" || answers === "unusable") trusted = 0;
      if (typeof answers === "object") health.succeed();
      else if (answers === "timeout") health.fail({ restMs: restMs.failure, reason: "timeout" });
      else if (answers === "unusable") health.fail({ restMs: restMs.failure });
      return answers;
    },
  };
}

const restMs = { failure: 10_000, chain: 300_000 } as const;

/** The largest traces take some tens of megabytes. */
const responseBytesMax = 64 * 1024 * 1024;

type Sender = (
  calls: readonly RpcCall[],
  signal: AbortSignal,
  purpose: Purpose,
) => Promise<RpcAnswer[] | EndpointFault>;

/** viem joins calls that share a signal: each batch has its own. */
function createSender(
  url: string,
  { callTimeoutMs, socketsMax = 64, bodies }: EndpointOptions,
  health: EndpointHealth,
): Sender {
  const shares = new WeakMap<AbortSignal, BodyShare>();
  const config = {
    batch: true,
    raw: true,
    retryCount: 0,
    timeout: callTimeoutMs,
    maxResponseBodySize: responseBytesMax,
    fetchFn: async (input: string | URL | Request, init: RequestInit = {}) => {
      const response = await watchedFetch(health, input, init);
      const share = init.signal ? shares.get(init.signal) : undefined;
      return share === undefined ? response : countBody(response, share);
    },
  };
  const request = http(url, config)({ retryCount: 0 }).request as (
    call: RpcCall,
    options: { signal: AbortSignal },
  ) => Promise<unknown>;
  const sockets = { explanation: pLimit(socketsMax), service: pLimit(serviceSocketsMax) };

  async function sendNow(calls: readonly RpcCall[], signal: AbortSignal, purpose: Purpose) {
    const share = bodies?.share();
    const timer = openDeadline(callTimeoutMs, signal);
    if (share !== undefined) shares.set(timer.signal, share);
    let keeps = false;
    try {
      const answers = await Promise.all(calls.map((call) => request(call, { signal: timer.signal })));
      const read = answers.map(readAnswer);
      if (!read.every((answer) => answer !== undefined)) return "unusable";
      // Answers for an explanation stay in memory, and count, until the work on it ends.
      keeps = purpose === "explanation";
      return read;
    } catch (error) {
      if (signal.aborted) return "aborted";
      return timer.signal.aborted ? "timeout" : isCrowded(error) ? "crowded" : "unusable";
    } finally {
      timer.end();
      if (keeps && !signal.aborted) signal.addEventListener("abort", () => share?.giveBack(), { once: true });
      else share?.giveBack();
    }
  }

  return async (calls, signal, purpose) => {
    const work = sockets[purpose](() => (signal.aborted ? "aborted" : sendNow(calls, signal, purpose)));
    // The wait for a socket ends with the signal. A batch that has started ends by the signal itself.
    return unlessAborted<RpcAnswer[] | EndpointFault>(work, signal, () => "aborted");
  };
}

const serviceSocketsMax = 16;

/** viem wraps the error. */
function isCrowded(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof BodyBudgetError) return true;
  return false;
}

/** viem's raw form. undefined: neither, so the server dropped the call, and no answer of it is trusted. */
function readAnswer(raw: unknown): RpcAnswer | undefined {
  const { error, result } = (raw ?? {}) as { error?: Record<string, unknown> | null; result?: unknown };
  if (error !== undefined && error !== null) {
    const { code, message, data } = error;
    const told = typeof message === "string" ? message : "";
    return { ok: false, code: typeof code === "number" ? code : null, message: told, data };
  }
  return result === undefined ? undefined : { ok: true, result };
}
