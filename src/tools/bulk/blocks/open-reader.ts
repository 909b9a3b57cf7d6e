import type { Engine } from "../../../engine/build-engine.ts";
import { createChainlinkPrice } from "../../../gather/lookup/price/price.ts";
import { openNetwork } from "../../../gather/network/network.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { assert } from "../../../kernel/error.ts";
import type { Config } from "../../../serve/settings/config.ts";
import type { ReaderParts } from "./range-reader.ts";

/** Milliseconds for a call: whole blocks are large, so it may take longer than one about a transaction. */
const blockTimeoutMs = 30_000;

/** Opens a reader of blocks with the endpoints of the settings. Nothing is asked yet. */
export function openBlockReader(
  { rpcUrls, rpcTimeoutMs, endpointSockets: socketsMax }: Pick<Config, "rpcUrls" | "rpcTimeoutMs" | "endpointSockets">,
  { labels }: Pick<Engine, "labels">,
): { reader: ReaderParts; close(): void } {
  const callTimeoutMs = Math.max(rpcTimeoutMs, blockTimeoutMs);
  const network = openNetwork({ chainId: chain.id, rpcUrls, callTimeoutMs, socketsMax, blockscoutUrl: null });
  const [multicall] = labels.system("multicall3");
  const [feed] = labels.system("eth_usd_feed");
  assert(multicall !== undefined, "labels name no multicall3");
  const price = feed === undefined ? null : createChainlinkPrice(feed);
  return { reader: { pool: network.pool, multicall, price }, close: () => network.close() };
}
