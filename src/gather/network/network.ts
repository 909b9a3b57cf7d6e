import { custom, RpcRequestError, type Transport } from "viem";
import { serviceLimits } from "../../kernel/limits.ts";
import { createBlockscout } from "./blockscout/blockscout.ts";
import { openDrainerLists } from "./drainers/drainer-lists.ts";
import type { Clock, HealthChange, HealthReport } from "./health/endpoint-health.ts";
import { createBodyBudget } from "./http/body-budget.ts";
import { createPriceApi } from "./prices/price-api.ts";
import { isRevert, type RpcAnswer, type RpcCall } from "./rpc/endpoint.ts";
import { createEndpointPool, type EndpointPool, poolOf } from "./rpc/endpoint-pool.ts";
import { createHeadMemory } from "./rpc/head.ts";
import { createStateReader } from "./rpc/state-reader.ts";
import { createSourcify } from "./sourcify/sourcify.ts";

/** With the pool's failover. A revert is the chain's answer: no other endpoint is asked. Errors name no endpoint. */
function createViemTransport(pool: EndpointPool, signal: AbortSignal): Transport {
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

export interface NetworkOptions {
  /** Endpoints of other chains are refused. */
  chainId: number;
  /** Tried in order. */
  rpcUrls: readonly string[];
  /** For an RPC request, or a page of internal transfers. */
  callTimeoutMs: number;
  /** Batches at once at each RPC endpoint. */
  socketsMax?: number;
  /** null: not asked. */
  blockscoutUrl: string | null;
  /** null: none. */
  blockscoutKey?: string | null;
  /** null: not asked. */
  sourcifyUrl?: string | null;
  /** null: not asked. */
  pricesUrl?: string | null;
  /** URLs or file paths. */
  drainerLists?: readonly string[];
  /** Snapshots of drainer lists; null: not kept. */
  drainerDir?: string | null;
  drainerRefreshMs?: number;
  /** Of one drainer list; no lookup waits that long. */
  downloadMs?: number;
  clock?: Clock;
}

export type Network = ReturnType<typeof openNetwork>;

/** Sends nothing. */
export function openNetwork(options: NetworkOptions) {
  const { chainId, callTimeoutMs, socketsMax, blockscoutUrl, blockscoutKey = null } = options;
  const { sourcifyUrl = null, pricesUrl = null, clock = Date } = options;
  const closing = new AbortController();
  const bodies = createBodyBudget(serviceLimits.bodiesBytesMax, {
    largeFrom: serviceLimits.smallBodyBytes,
    aloneMax: serviceLimits.bodyAloneBytesMax,
  });
  const pool = createEndpointPool(options.rpcUrls, { chainId, callTimeoutMs, socketsMax, bodies, clock });
  const blockscout =
    blockscoutUrl === null
      ? null
      : createBlockscout(blockscoutUrl, { chainId, key: blockscoutKey, pageTimeoutMs: callTimeoutMs, bodies, clock });
  const sourcify = sourcifyUrl === null ? null : createSourcify(sourcifyUrl, { chainId, bodies, clock });
  const prices = pricesUrl === null ? null : createPriceApi(pricesUrl, { bodies, clock });
  const drainers = openDrainerLists(options.drainerLists ?? [], {
    dir: options.drainerDir ?? null,
    refreshMs: options.drainerRefreshMs ?? 6 * 3_600_000,
    timeoutMs: options.downloadMs ?? 30_000,
    clock,
  });
  const servers = [...pool.endpoints, ...[blockscout, sourcify, prices].filter((one) => one !== null)];
  return {
    pool,
    readState: createStateReader(pool),
    /** With the same failover. */
    transport: createViemTransport(pool, closing.signal),
    /** Each endpoint alone, where there are several. */
    witnesses: (pool.endpoints.length > 1 ? pool.endpoints : []).map((endpoint) =>
      createViemTransport(poolOf([endpoint]), closing.signal),
    ),
    head: createHeadMemory(pool, closing.signal),
    blockscout,
    sourcify,
    prices,
    drainers,
    /** RPC endpoints first, as configured. */
    health: (): HealthReport[] => [...servers.map(({ health }) => health.report()), ...drainers.reports()],
    watch(tell: (change: HealthChange) => void): void {
      for (const health of [...servers.map((server) => server.health), ...drainers.health]) health.watch(tell);
    },
    /** Asks every endpoint's chain id, to know before the first request who answers. Never rejects. */
    async probe(): Promise<void> {
      await Promise.all(pool.endpoints.map((endpoint) => endpoint.ask([], closing.signal)));
    },
    close() {
      closing.abort();
      drainers.close();
    },
  };
}
