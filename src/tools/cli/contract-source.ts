import { openNetwork } from "../../gather/network/network.ts";
import type { VerifiedContract } from "../../gather/network/verified-contract.ts";
import type { Address } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { Config } from "../../serve/settings/config.ts";
import { type PublishedContract, writeAbi } from "../lint/scaffold/published-abi.ts";

/** How many contracts of one transaction are looked up. */
const contractsMax = 6;

/** The hosts that are asked; none with LOOKUPS=off. */
export function publishersOf({ lookups, blockscoutUrl }: Pick<Config, "lookups" | "blockscoutUrl">): string[] {
  const urls = lookups === null ? [] : [lookups.sourcifyUrl, blockscoutUrl];
  return urls.flatMap((url) => (url === null || url === "" ? [] : new URL(url).host));
}

type PublisherSettings = Pick<Config, "lookups" | "blockscoutUrl" | "blockscoutKey" | "rpcTimeoutMs">;

/**
 * Asks Sourcify, then Blockscout, for names and ABIs of contracts. For a proxy, it asks also about the contract whose code runs. Nothing is
 * asked with LOOKUPS=off. Contracts without an answer within `waitMs` in total are left out. Never rejects.
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

/** A published name; null where it is unfit. Anybody may choose the name of his contract, so only valid Solidity names are accepted. */
function readName(name: unknown): string | null {
  return typeof name === "string" && /^[A-Za-z_$][\w$]{0,60}$/.test(name) ? name : null;
}
