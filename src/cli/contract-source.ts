import { chainId } from "../assemble.ts";
import { type Address, readAddress } from "../kernel/address.ts";
import { type PublishedContract, writeAbi } from "../lint/scaffold/published-abi.ts";
import { createJsonSource, type JsonSource } from "../lookups/json-source.ts";
import type { Config } from "../settings/config.ts";

/** How many contracts of one transaction are looked up. */
const contractsMax = 6;

/**
 * Asks Sourcify, then Blockscout, for names and ABIs of contracts; behind a proxy, those of the code that runs. Nothing is asked
 * with LOOKUPS=off. What cannot be had is left out; never rejects.
 */
export async function findPublished(
  addresses: readonly Address[],
  { lookups, blockscoutUrl }: Pick<Config, "lookups" | "blockscoutUrl">,
): Promise<Map<Address, PublishedContract>> {
  const found = new Map<Address, PublishedContract>();
  if (lookups === null) return found;
  const open = (url: string | null) => (url === null ? [] : [createJsonSource(url, { clock: Date })]);
  const servers: Server[] = [
    ...open(lookups.sourcifyUrl).map((source) => ({ source, pathOf: sourcifyPath, read: readSourcify })),
    ...open(blockscoutUrl).map((source) => ({ source, pathOf: blockscoutPath, read: readBlockscout })),
  ];
  await Promise.all(
    addresses.slice(0, contractsMax).map(async (address) => {
      const contract = await ask(address, servers, lookups.deadlineMs);
      if (contract !== undefined) found.set(address, contract);
    }),
  );
  return found;
}

interface Server {
  source: JsonSource;
  pathOf: (address: Address) => string;
  read: (body: Record<string, unknown>) => Answer;
}

interface Answer {
  name: string | null;
  abi: unknown;
  implementation: Address | undefined;
}

async function ask(address: Address, servers: readonly Server[], deadlineMs: number) {
  for (const server of servers) {
    const own = await askOne(address, server, deadlineMs);
    if (own === undefined) continue;
    const behind = own.implementation && (await askOne(own.implementation, server, deadlineMs));
    const items = [...writeAbi(behind?.abi), ...writeAbi(own.abi)];
    const name = behind?.name ?? own.name;
    const source = name === null ? server.source.name : `${server.source.name} (${name})`;
    if (items.length > 0) return { name, items, source };
  }
  return undefined;
}

async function askOne(address: Address, { source, pathOf, read }: Server, deadlineMs: number) {
  const answer = await source.get(pathOf(address), AbortSignal.timeout(deadlineMs));
  return answer === "failed" || answer.status !== 200 ? undefined : read(asObject(answer.body));
}

/** Sourcify API v2. */
function sourcifyPath(address: Address): string {
  return `/v2/contract/${chainId}/${address}?fields=abi,compilation,proxyResolution`;
}

function readSourcify({ abi, compilation, proxyResolution }: Record<string, unknown>): Answer {
  const [first] = asList(asObject(proxyResolution).implementations);
  return { name: readName(asObject(compilation).name), abi, implementation: readAddress(asObject(first).address) };
}

/** Blockscout API v2; the address of an implementation has had two names. */
function blockscoutPath(address: Address): string {
  return `/api/v2/smart-contracts/${address}`;
}

function readBlockscout({ name, abi, implementations }: Record<string, unknown>): Answer {
  const first = asObject(asList(implementations)[0]);
  return { name: readName(name), abi, implementation: readAddress(first.address_hash ?? first.address) };
}

/** Anybody chooses the name of his contract, so only names that Solidity accepts are taken. */
function readName(name: unknown): string | null {
  return typeof name === "string" && /^[A-Za-z_$][\w$]{0,60}$/.test(name) ? name : null;
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
