import { openNetwork } from "../../gather/network/network.ts";
import type { VerifiedContract } from "../../gather/network/verified-contract.ts";
import type { Address } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { Config } from "../../serve/settings/config.ts";
import { type PublishedContract, writeAbi } from "../lint/scaffold/published-abi.ts";

/** Contracts of one transaction. */
const contractsMax = 6;

/** The hosts to ask; none with LOOKUPS=off. */
export function publishersOf({ lookups, blockscoutUrl }: Pick<Config, "lookups" | "blockscoutUrl">): string[] {
  const urls = lookups === null ? [] : [lookups.sourcifyUrl, blockscoutUrl];
  return urls.flatMap((url) => (url === null || url === "" ? [] : new URL(url).host));
}

type PublisherSettings = Pick<Config, "lookups" | "blockscoutUrl" | "blockscoutKey" | "rpcTimeoutMs">;

/**
 * Names and ABIs by Sourcify, then Blockscout; behind a proxy also of the running contract. Nothing with LOOKUPS=off, nothing after
 * `waitMs` in total. Never rejects.
 */
export async function findPublished(
  addresses: readonly Address[],
  { lookups, blockscoutUrl, blockscoutKey, rpcTimeoutMs }: PublisherSettings,
  waitMs: number,
): Promise<Map<Address, PublishedContract>> {
  const found = new Map<Address, PublishedContract>();
  if (lookups === null) return found;
  const { sourcifyUrl } = lookups;
  const ended = AbortSignal.timeout(waitMs);
  const endpoints = { rpcUrls: [], callTimeoutMs: rpcTimeoutMs, blockscoutUrl, blockscoutKey, sourcifyUrl };
  const network = openNetwork({ chainId: chain.id, ...endpoints });
  const servers = [network.sourcify, network.blockscout].filter((server) => server !== null);
  await Promise.all(
    addresses.slice(0, contractsMax).map(async (address) => {
      const contract = await ask(address, servers, ended);
      if (contract !== undefined) found.set(address, contract);
    }),
  );
  return found;
}

interface Server {
  name: string;
  readContract(address: Address, signal: AbortSignal): Promise<VerifiedContract | undefined>;
}

async function ask(address: Address, servers: readonly Server[], ended: AbortSignal) {
  for (const server of servers) {
    const askOne = (about: Address) => server.readContract(about, ended);
    const own = await askOne(address);
    if (own === undefined) continue;
    const behind = own.implementation && (await askOne(own.implementation));
    const items = [...writeAbi(behind?.abi), ...writeAbi(own.abi)];
    const name = readName(behind?.name) ?? readName(own.name);
    const source = name === null ? server.name : `${server.name} (${name})`;
    if (items.length > 0) return { name, items, source };
  }
  return undefined;
}

/** Anybody may choose it, so only Solidity names count. */
function readName(name: unknown): string | null {
  return typeof name === "string" && /^[A-Za-z_$][\w$]{0,60}$/.test(name) ? name : null;
}
