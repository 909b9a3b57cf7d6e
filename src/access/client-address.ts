import { type BlockList, isIP, isIPv4 } from "node:net";
import { LRUCache } from "lru-cache";
import { readNetworks } from "../kernel/network.ts";

/** Whom the allowance and the rate limit count: an IPv4 address, or the first 64 bits of an IPv6 address. */
export type Client = string & { readonly __client: unique symbol };

/** Finds the client of a connection. `forwarded` is the X-Forwarded-For header, believed only from trusted proxies. */
export type ReadClient = (remote: string | undefined, forwarded?: string | readonly string[]) => Client;

/** `trust`: addresses and networks (CIDR) of our own proxies; `loopback` for this machine. Throws on anything else. */
export function createClientReader(trust: readonly string[]): ReadClient {
  const trusted = trust.length === 0 ? undefined : readNetworks(trust);
  const known = new LRUCache<string, Client>({ max: 10_000 });

  function groupOf(address: string): Client {
    const found = known.get(address);
    if (found !== undefined) return found;
    const client = toClient(address);
    known.set(address, client);
    return client;
  }

  return (remote = "", forwarded) => {
    if (trusted === undefined || forwarded === undefined) return groupOf(remote);
    return groupOf(walk(remote, [forwarded].flat().join(","), (address) => isTrusted(trusted, address)));
  };
}

/** The counting unit of one address; what is no address counts as one client together. */
export function toClient(address: string): Client {
  const bare = bareAddress(address);
  if (bare === undefined) return "unknown" as Client;
  if (isIPv4(bare)) return bare as Client;
  const groups = expand(bare);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) return ipv4Of(groups[6] ?? 0, groups[7] ?? 0) as Client;
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":") as Client;
}

/** From the right: each proxy of ours vouches for the address before it, and the first that is not ours is the client. */
function walk(remote: string, forwarded: string, isOurs: (address: string) => boolean): string {
  let client = remote;
  for (const hop of forwarded.split(",").reverse()) {
    if (!isOurs(client)) return client;
    const address = bareAddress(hop.trim());
    if (address === undefined) return client;
    client = address;
  }
  return client;
}

/** Without brackets, port and zone; undefined when it is no address. */
function bareAddress(text: string): string | undefined {
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const bare = (inBrackets ?? withPort ?? text).replace(/%.*$/, "");
  return isIP(bare) === 0 ? undefined : bare;
}

/** The eight groups of an IPv6 address. */
function expand(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (dotted !== null) {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(2).map(Number);
    return expand(`${dotted[1]}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`);
  }
  const [left = "", right] = address.split("::");
  const read = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const head = read(left);
  if (right === undefined) return head;
  const tail = read(right);
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function isTrusted(list: BlockList, address: string): boolean {
  const bare = bareAddress(address);
  if (bare === undefined) return false;
  if (isIPv4(bare)) return list.check(bare, "ipv4");
  // An IPv4 peer of a dual-stack socket shows as ::ffff:a.b.c.d.
  const client = toClient(bare);
  return isIPv4(client) ? list.check(client, "ipv4") : list.check(bare, "ipv6");
}
