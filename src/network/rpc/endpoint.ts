import pLimit from "p-limit";
import { http } from "viem";
import { openDeadline, unlessAborted } from "../../kernel/abort.ts";
import { readQuantity } from "../../kernel/hex.ts";
import { type Clock, EndpointHealth } from "../health/endpoint-health.ts";
import { watchedFetch } from "../health/fault-reason.ts";
import { type BodyBudget, BodyBudgetError, type BodyShare, countBody } from "../http/body-budget.ts";

export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

/** The answer to one call of a batch. An error here is the call's own; the endpoint is well. */
export type RpcAnswer = { ok: true; result: unknown } | RpcFailure;

/** `data`: what a call that reverted returned, where the node tells it. */
export interface RpcFailure {
  ok: false;
  code: number | null;
  message: string;
  data?: unknown;
}

/** Whether the chain itself refused. Code 3 is a revert of geth and its kin; others say it in words only. */
export function isRevert({ code, message }: RpcFailure): boolean {
  return code === 3 || /execution reverted|out of gas|invalid opcode/i.test(message);
}

/**
 * Why an endpoint as a whole gave nothing. `refused`: it serves another chain. `aborted`: the caller's time was up. `crowded`: the
 * process holds too much of other answers.
 */
export type EndpointFault = "timeout" | "unusable" | "refused" | "aborted" | "crowded";

/** Whom a batch is for. Each has sockets of its own, so that explanations keep no payment waiting. */
export type Purpose = "explanation" | "service";

/** One JSON-RPC server. */
export type Endpoint = ReturnType<typeof createEndpoint>;

export interface EndpointOptions {
  chainId: number;
  callTimeoutMs: number;
  /** Batches under way at once for explanations. */
  socketsMax?: number | undefined;
  /** Bytes of answers that are held together with other servers'. */
  bodies?: BodyBudget;
  clock: Clock;
}

/** Makes the client of one endpoint. Its chain id is asked with the first batch, until it was right once. */
export function createEndpoint(url: string, options: EndpointOptions) {
  const { chainId, callTimeoutMs, clock } = options;
  const health = new EndpointHealth("rpc", new URL(url).host, clock);
  const send = createSender(url, options, health);
  let chainChecked = false;

  function checkChain(answer: RpcAnswer | undefined): EndpointFault | undefined {
    const given = answer?.ok === true ? readQuantity(answer.result) : undefined;
    if (given === undefined) return "unusable";
    if (given !== BigInt(chainId)) {
      health.rest("wrong_chain", restMs.chain, "chain");
      return "refused";
    }
    chainChecked = true;
    health.succeed("chain");
    return undefined;
  }

  const ask: Sender = async (calls, signal, purpose) => {
    if (chainChecked) return send(calls, signal, purpose);
    const answers = await send([{ method: "eth_chainId", params: [] }, ...calls], signal, purpose);
    if (typeof answers === "string") return answers;
    return checkChain(answers[0]) ?? answers.slice(1);
  };

  return {
    /** Milliseconds for one batch, its body included. */
    callTimeoutMs,
    /** Beside `all`: capability `chain` rests when it serves another chain, `traces` when they take too long, a method when it lacks it. */
    health,
    /** Whether it answered, is of the right chain, and did not fail since. */
    isWell: () => chainChecked && !health.isFailing(),
    /** Sends all calls in one HTTP batch. The answers are in the order of the calls. Never rejects. */
    async ask(
      calls: readonly RpcCall[],
      signal: AbortSignal,
      purpose: Purpose = "explanation",
    ): Promise<RpcAnswer[] | EndpointFault> {
      const answers = await ask(calls, signal, purpose);
      if (typeof answers === "object") health.succeed();
      else if (answers === "timeout") health.fail({ restMs: restMs.failure, reason: "timeout" });
      else if (answers === "unusable") health.fail({ restMs: restMs.failure });
      return answers;
    },
  };
}

const restMs = { failure: 10_000, chain: 300_000 } as const;

/** Traces of the largest transactions are some tens of megabytes of JSON. */
const responseBytesMax = 64 * 1024 * 1024;

type Sender = (
  calls: readonly RpcCall[],
  signal: AbortSignal,
  purpose: Purpose,
) => Promise<RpcAnswer[] | EndpointFault>;

/** viem's batching joins calls that share a signal: a signal for each batch keeps calls of other batches out of it. */
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
      // What was read for an explanation lives as long as the work on it.
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
    // Nobody waits for a socket beyond the signal. A batch that is under way ends by the signal itself.
    return unlessAborted<RpcAnswer[] | EndpointFault>(work, signal, () => "aborted");
  };
}

/** Batches under way at once for everything that is no explanation. */
const serviceSocketsMax = 16;

/** Whether the answer was given up because the process holds too many bytes. viem wraps what was thrown. */
function isCrowded(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof BodyBudgetError) return true;
  return false;
}

/** `{error, result}` as viem's raw mode gives it. With neither of them the server dropped the call, and no answer of it is trusted. */
function readAnswer(raw: unknown): RpcAnswer | undefined {
  const { error, result } = (raw ?? {}) as { error?: Record<string, unknown> | null; result?: unknown };
  if (error !== undefined && error !== null) {
    const { code, message, data } = error;
    const told = typeof message === "string" ? message : "";
    return { ok: false, code: typeof code === "number" ? code : null, message: told, data };
  }
  return result === undefined ? undefined : { ok: true, result };
}
