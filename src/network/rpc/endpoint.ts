import { http } from "viem";
import { readQuantity } from "../../kernel/hex.ts";
import { type Clock, EndpointHealth } from "../health/endpoint-health.ts";

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

/** Why an endpoint as a whole gave nothing. `refused`: it serves another chain. `aborted`: the caller's time was up. */
export type EndpointFault = "timeout" | "unusable" | "refused" | "aborted";

/** One JSON-RPC server. */
export type Endpoint = ReturnType<typeof createEndpoint>;

export interface EndpointOptions {
  chainId: number;
  callTimeoutMs: number;
  clock: Clock;
}

/** Makes the client of one endpoint. Its chain id is asked with the first batch, until it was right once. */
export function createEndpoint(url: string, { chainId, callTimeoutMs, clock }: EndpointOptions) {
  const send = createSender(url, callTimeoutMs);
  const health = new EndpointHealth("rpc", new URL(url).host, clock);
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

  const ask: Sender = async (calls, signal) => {
    if (chainChecked) return send(calls, signal);
    const answers = await send([{ method: "eth_chainId", params: [] }, ...calls], signal);
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
    async ask(calls: readonly RpcCall[], signal: AbortSignal): Promise<RpcAnswer[] | EndpointFault> {
      const answers = await ask(calls, signal);
      if (typeof answers === "object") health.succeed();
      else if (answers === "timeout" || answers === "unusable") health.fail({ restMs: restMs.failure });
      return answers;
    },
  };
}

const restMs = { failure: 10_000, chain: 300_000 } as const;

/** Traces of the largest transactions are some tens of megabytes of JSON. */
const responseBytesMax = 64 * 1024 * 1024;

type Sender = (calls: readonly RpcCall[], signal: AbortSignal) => Promise<RpcAnswer[] | EndpointFault>;

/** viem's batching joins calls that share a signal: a signal for each batch keeps calls of other batches out of it. */
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
      const read = answers.map(readAnswer);
      return read.every((answer) => answer !== undefined) ? read : "unusable";
    } catch {
      return signal.aborted ? "aborted" : timer.aborted ? "timeout" : "unusable";
    }
  };
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
