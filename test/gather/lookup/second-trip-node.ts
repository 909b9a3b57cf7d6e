import { encodeAbiParameters } from "viem";
import type { Fetched } from "../../../src/gather/fetch/fetch.ts";
import { type DetailsRequest, fetchDetails } from "../../../src/gather/lookup/fetch-details.ts";
import type { RpcCall } from "../../../src/gather/network/rpc/endpoint.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { alice, callTrace } from "../../support/rpc-server-chain.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { ok, refused, type Script, scriptedPool } from "../../support/scripted-pool.ts";

export const hash = hashOf(1);
export const multicall = toAddress(`0x${"ca".repeat(20)}`);
export const signal = new AbortController().signal;

const outputs = [{ type: "tuple[]", components: [{ type: "bool" }, { type: "bytes" }] }];
/** The answer of the contract that makes many reads at once. null is a call that reverted. */
export const returned = (...results: (Hex | null)[]): Hex =>
  encodeAbiParameters(outputs, [results.map((data) => [data !== null, data ?? "0x"])]);

export const block = { number: "0x64", hash: hashOf(500), timestamp: "0x6553f100" };
/** What the first trip found: alice called a token, and there is no trace yet. */
export const draft: CaseFile = {
  ...caseFileOf(hash),
  ...{ block: { number: "0x64", hash: hashOf(500) as Hex }, trace: { source: "none", reason: "not yet" } },
  transaction: { ...caseFileOf(hash).transaction, from: alice, to: callTrace.to, input: callTrace.input, value: "0x0" },
} as CaseFile;

interface Says {
  block?: unknown;
  /** By the block that a call asks about. */
  calls?: Record<string, unknown>;
  traces?: Record<string, unknown>;
}

/** A node with these answers. An Error is a refusal with its message. A trace without an answer is a method that the node lacks. */
export function node({ block: own = block, calls = {}, traces = {} }: Says): Script {
  const answer = (value: unknown) => (value instanceof Error ? refused(value.message) : ok(value));
  return (asked) =>
    asked.map(({ method, params }: RpcCall) => {
      if (method === "eth_getBlockByNumber") return answer(own);
      if (method === "eth_call") return answer(calls[String(params[1])]);
      return method in traces ? answer(traces[method]) : refused("the method does not exist", -32_601);
    });
}

/** Makes the second trip to these endpoints; `first` is the one that had the transaction. */
export async function ask(
  scripts: Script[],
  parts: Partial<DetailsRequest> = {},
  fetched: Partial<Fetched> = {},
  first = 0,
) {
  const { pool, asked } = scriptedPool(...scripts);
  const endpoint = pool.endpoints[first] as Fetched["endpoint"];
  const request = { fetched: { draft, endpoint, asked: ["debug_traceTransaction"], ...fetched } as Fetched, multicall };
  const told = await fetchDetails({ ...request, reads: [], calls: [], wantTrace: false, ...parts }, { pool, signal });
  const asks = asked.map(({ node: at, calls }) => [at, calls.map(({ method }) => method)]);
  return { told, asks, asked, pool };
}
