import type { Endpoint, EndpointFault, RpcAnswer, RpcCall } from "../../src/gather/network/rpc/endpoint.ts";
import { createEndpointPool } from "../../src/gather/network/rpc/endpoint-pool.ts";

/** What an endpoint answers to a batch. */
export type Script = (calls: readonly RpcCall[]) => readonly RpcAnswer[] | EndpointFault;

export const ok = (result: unknown): RpcAnswer => ({ ok: true, result });
export const refused = (message: string, code: number | null = -32_000): RpcAnswer => ({ ok: false, code, message });

/** A pool of endpoints node0.example, node1.example, … Each answers by its script. The pool records the batches that each one got. */
export function scriptedPool(...scripts: Script[]) {
  const pool = createEndpointPool(
    scripts.map((_, i) => `http://node${i}.example`),
    { chainId: 8453, callTimeoutMs: 1_000, clock: { now: () => 1_000 } },
  );
  const asked: { node: number; calls: readonly RpcCall[] }[] = [];
  for (const [node, endpoint] of pool.endpoints.entries())
    (endpoint as { ask: Endpoint["ask"] }).ask = async (calls) => {
      asked.push({ node, calls });
      const answers = scripts[node]?.(calls) ?? "unusable";
      return typeof answers === "string" ? answers : [...answers];
    };
  return { pool, asked };
}

/** Answers each call by its method. A method without an answer counts as one that the endpoint lacks. */
export function byMethod(answers: Readonly<Record<string, unknown>>): Script {
  return (calls) =>
    calls.map(({ method }) =>
      method in answers ? ok(answers[method]) : refused("the method does not exist", -32_601),
    );
}
