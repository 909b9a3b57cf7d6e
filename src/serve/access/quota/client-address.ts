import { type BlockList, isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { readNetworks } from "../../settings/networks.ts";

/** A client, whose calls are counted together: an IPv4 address, or the first 64 bits of an IPv6 address. */
export type Client = string & { readonly __client: unique symbol };

/** Finds the client of a connection. `forwarded`: the X-Forwarded-For header; only the operator's own proxies are believed. */
export type ReadClient = (remote: string | undefined, forwarded?: string | readonly string[]) => Client;

/**
 * Makes a {@link ReadClient}. `trust`: addresses and networks (CIDR) of the operator's own proxies; `loopback` for this machine. Throws for
 * anything else.
 */
export function createClientReader(trust: readonly string[]): ReadClient {
  const trusted = trust.length === 0 ? undefined : readNetworks(trust);
  const clients = new LRUCache<string, Client>({ max: 10_000, memoMethod: toClient });
  // Long texts are not remembered: an address with a zone or a port may be as long as a header, and many of them would need much memory.
  const read = (address: string) => (address.length > addressCharsMax ? toClient(address) : clients.memo(address));
  return (remote = "", forwarded) => {
    if (trusted === undefined) return read(remote);
    return read(findSender(remote, [forwarded].flat().join(","), trusted));
  };
}

/** Makes the function that tells whether an address is one of the operator's own proxies. Throws as {@link createClientReader} does. */
export function createProxyCheck(trust: readonly string[]): (address: string) => boolean {
  const trusted = trust.length === 0 ? undefined : readNetworks(trust);
  return (address) => trusted !== undefined && isTrusted(trusted, address);
}

/**
 * The networks that a client of IPv6 belongs to, of which one customer often has the whole: its /56 and its /48. None of IPv4, and none
 * where the client is a pass or a payer.
 */
export function networksOf(client: Client): { name: Client; bits: 56 | 48 }[] {
  const [, site, subnet] = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(client) ?? [];
  if (site === undefined || subnet === undefined) return [];
  const part = (Number.parseInt(subnet, 16) >> 8).toString(16);
  return [
    { name: `${site}:${part}00/56` as Client, bits: 56 },
    { name: `${site}/48` as Client, bits: 48 },
  ];
}

/** Addresses in a usual form are shorter, even in brackets and with a port. */
const addressCharsMax = 64;

/** The client of one address. Texts that are not an address count as one client together. */
export function toClient(address: string): Client {
  const parsed = parseAddress(address);
  if (parsed === undefined) return "unknown" as Client;
  // An IPv4 address has no colons and stays whole.
  return parsed.toNormalizedString().split(":").slice(0, 4).join(":") as Client;
}

/**
 * Finds the client in the header, from the right: each of our own proxies vouches for the address before it. The first address that is not
 * a proxy of ours is the client.
 */
function findSender(remote: string, forwarded: string, trusted: BlockList): string {
  let sender = remote;
  for (const hop of forwarded.split(",").reverse()) {
    if (!isTrusted(trusted, sender)) return sender;
    if (parseAddress(hop.trim()) === undefined) return sender;
    sender = hop.trim();
  }
  return sender;
}

/** Whether the address is one of these. Texts that are not an address are none. */
export function isTrusted(trusted: BlockList, address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && trusted.check(parsed.toString(), parsed.kind());
}

/** Reads an address with or without brackets, port and zone. An IPv4 address inside IPv6 (::ffff:a.b.c.d) is given as IPv4. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const bare = (inBrackets ?? withPort ?? text).replace(/%.*$/, "");
  if (isIP(bare) === 0) return undefined;
  if (isIPv4(bare)) return ipaddr.parse(bare);
  // The URL parser writes every part as hex. Otherwise ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4, which is another address.
  return ipaddr.process(new URL(`http://[${bare}]`).hostname.slice(1, -1));
}
