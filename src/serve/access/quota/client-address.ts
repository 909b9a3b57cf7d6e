import { type BlockList, isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { readNetworks } from "../../settings/networks.ts";

/** Counted together: an IPv4 address, or an IPv6 /64. */
export type Client = string & { readonly __client: unique symbol };

/** `forwarded`: X-Forwarded-For, believed only of our own proxies. */
export type ReadClient = (remote: string | undefined, forwarded?: string | readonly string[]) => Client;

/** `trust`: our own proxies, as addresses, CIDR or `loopback`. Throws for anything else. */
export function createClientReader(trust: readonly string[]): ReadClient {
  const trusted = trust.length === 0 ? undefined : readNetworks(trust);
  return (remote = "", forwarded) =>
    toClient(trusted === undefined ? remote : findSender(remote, [forwarded].flat().join(","), trusted));
}

/** Throws as {@link createClientReader}. */
export function createProxyCheck(trust: readonly string[]): (address: string) => boolean {
  const trusted = trust.length === 0 ? undefined : readNetworks(trust);
  return (address) => trusted !== undefined && isTrusted(trusted, address);
}

/** IPv6 /56 and /48, of which one customer often has the whole; none of IPv4, passes and payers. */
export function networksOf(client: Client): { name: Client; bits: 56 | 48 }[] {
  const [, site, subnet] = /^([0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(client) ?? [];
  if (site === undefined || subnet === undefined) return [];
  const part = (Number.parseInt(subnet, 16) >> 8).toString(16);
  return [
    { name: `${site}:${part}00/56` as Client, bits: 56 },
    { name: `${site}/48` as Client, bits: 48 },
  ];
}

/** All that is no address is one client. */
export function toClient(address: string): Client {
  const parsed = parseAddress(address);
  if (parsed === undefined) return "unknown" as Client;
  // An IPv4 address has no colons and stays whole.
  return parsed.toNormalizedString().split(":").slice(0, 4).join(":") as Client;
}

/** From the right: our proxies vouch for the address before. The first other address is the client. */
function findSender(remote: string, forwarded: string, trusted: BlockList): string {
  let sender = remote;
  for (const hop of forwarded.split(",").reverse()) {
    if (!isTrusted(trusted, sender)) return sender;
    if (parseAddress(hop.trim()) === undefined) return sender;
    sender = hop.trim();
  }
  return sender;
}

export function isTrusted(trusted: BlockList, address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && trusted.check(parsed.toString(), parsed.kind());
}

/** With or without brackets, port, zone; ::ffff:a.b.c.d is IPv4. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1];
  const bare = (inBrackets ?? withPort ?? text).replace(/%.*$/, "");
  if (isIP(bare) === 0) return undefined;
  if (isIPv4(bare)) return ipaddr.parse(bare);
  // The URL parser writes every part as hex. Otherwise ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4, which is another address.
  return ipaddr.process(new URL(`http://[${bare}]`).hostname.slice(1, -1));
}
