import { custom, RpcRequestError, type Transport } from "viem";
import { isRevert, type RpcAnswer, type RpcCall } from "./endpoint.ts";
import type { EndpointPool } from "./endpoint-pool.ts";

/** With the pool's failover. A revert is the chain's answer: no other endpoint is asked. Errors name no endpoint. */
export function createViemTransport(pool: EndpointPool, signal: AbortSignal): Transport {
  async function request({ method, params = [] }: Pick<RpcCall, "method"> & Partial<RpcCall>): Promise<unknown> {
    let refusal: RpcAnswer | undefined;
    const answered = await pool.tryEach(async (endpoint) => {
      const answers = await endpoint.ask([{ method, params }], signal, "service");
      const [answer] = typeof answers === "object" ? answers : [];
      if (answer === undefined || answer.ok || isRevert(answer)) return answer;
      refusal ??= answer;
      return undefined;
    }, signal);
    const answer = answered ?? refusal;
    if (answer === undefined) throw new Error("no endpoint answers");
    if (answer.ok) return answer.result;
    const { code, message, data } = answer;
    throw new RpcRequestError({ body: { method }, error: { code: code ?? serverError, message, data }, url: "" });
  }

  return custom({ request }, { retryCount: 0 });
}

/** JSON-RPC: meaning left to the server. */
const serverError = -32_000;
