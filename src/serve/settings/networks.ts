import { BlockList, isIP } from "node:net";

/** IP addresses, networks (`10.0.0.0/8`), `loopback`. Throws, naming the first invalid one. */
export function readNetworks(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries.flatMap((text) => (text === "loopback" ? ["127.0.0.0/8", "::1"] : [text]))) {
    const [address = "", bits, rest] = entry.split("/");
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    if (
      version === 0 ||
      rest !== undefined ||
      (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    ) {
      throw new Error(`${JSON.stringify(entry)} is no IP address, no network such as 10.0.0.0/8 and not "loopback".`);
    }
    const family = version === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
