import { LRUCache } from "lru-cache";
import { type Address, readAddress } from "../kernel/address.ts";
import type { JsonAnswer, JsonSource } from "./json-source.ts";

/** `found`: source code is published there. `absent`: the server answered that it is not. */
export interface PublishedAnswer {
  status: "found" | "absent" | "unavailable";
  source: string;
}

/** Tells whether the source code of a contract is published. Never rejects. */
export type AskPublished = (address: Address, signal: AbortSignal) => Promise<PublishedAnswer>;

/**
 * Asks Sourcify, then Blockscout; either may be null. Absent only when every configured server said so: one that fails could
 * have known more. Answers are kept, failures are not.
 */
export function createPublishedSource(options: {
  sourcify: JsonSource | null;
  blockscout: JsonSource | null;
  chainId: number;
  clock: { now(): number };
}): AskPublished {
  const { sourcify, blockscout, chainId, clock } = options;
  const memory = new LRUCache<Address, PublishedAnswer>({ max: 20_000, ttl: 1, ttlResolution: 0, perf: clock });
  const servers = [
    ...(sourcify === null ? [] : [{ source: sourcify, pathOf: sourcifyPath(chainId), read: readSourcify }]),
    ...(blockscout === null ? [] : [{ source: blockscout, pathOf: blockscoutPath, read: readBlockscout }]),
  ];

  return async (address, signal) => {
    const known = memory.get(address);
    if (known !== undefined) return known;
    const silent: string[] = [];
    for (const { source, pathOf, read } of servers) {
      const published = read(await source.get(pathOf(address), signal), address);
      if (published === true) return keep({ status: "found", source: source.name });
      if (published === undefined) silent.push(source.name);
    }
    const names = servers.map(({ source }) => source.name).join(", ");
    if (servers.length === 0 || silent.length > 0)
      return { status: "unavailable", source: silent.join(", ") || "none" };
    return keep({ status: "absent", source: names });

    function keep(answer: PublishedAnswer): PublishedAnswer {
      memory.set(address, answer, { ttl: lifetimes[answer.status as keyof typeof lifetimes] });
      return answer;
    }
  };
}

/** Published source stays published; what is not may be tomorrow. */
const lifetimes = { found: 24 * 3_600_000, absent: 10 * 60_000 } as const;

function sourcifyPath(chainId: number): (address: Address) => string {
  return (address) => `/v2/contract/${chainId}/${address}`;
}

/** Sourcify API v2: `match` is `exact_match`, `match` or null; a contract that it does not have is 404 with a null match. */
function readSourcify(answer: JsonAnswer, address: Address): boolean | undefined {
  if (answer === "failed") return undefined;
  const { status, body } = answer;
  const { match, address: about } = asObject(body);
  if (readAddress(about) !== address) return undefined;
  if (status === 200 && (match === "match" || match === "exact_match")) return true;
  return (status === 404 || status === 200) && match === null ? false : undefined;
}

function blockscoutPath(address: Address): string {
  return `/api/v2/smart-contracts/${address}`;
}

/** Blockscout API v2. A contract that is not verified has its bytecode only; 404 is one that it has not seen: no answer. */
function readBlockscout(answer: JsonAnswer): boolean | undefined {
  if (answer === "failed" || answer.status !== 200) return undefined;
  const body = asObject(answer.body);
  if (body.is_verified === true) return true;
  const known = body.is_verified === false || "deployed_bytecode" in body || "creation_bytecode" in body;
  return known && (body.is_verified === undefined || body.is_verified === null || body.is_verified === false)
    ? false
    : undefined;
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
