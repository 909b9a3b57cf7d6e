import { type Address, checksum, readAddress } from "../../../kernel/address.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { type DescriptorPart, unsupported } from "./part.ts";

export interface ConstantScope {
  root: DescriptorPart;
  addresses: readonly Address[];
}

/** Into the descriptor itself, such as `$.metadata.constants.weth`. */
export function isOwnPath(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("$.");
}

/** A literal, a path into the descriptor, or an entry of `metadata.maps` by the chain or the only deployment. Throws UnsupportedError. */
export function readConstant(part: DescriptorPart, scope: ConstantScope): string | number | boolean {
  const map = part.get("map");
  const stated = map === undefined ? part.take() : lookUp(part, map, scope);
  const value = isOwnPath(stated) ? scope.root.get(...stated.slice(2).split("."))?.take() : stated;
  if (value === undefined) unsupported("a path to a constant that is not there", part);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  unsupported("a constant that is no plain value", part);
}

/** The entry for our chain, or for the only contract. Throws UnsupportedError. */
function lookUp(part: DescriptorPart, map: DescriptorPart, { root, addresses }: ConstantScope): unknown {
  const keyPath = (part.get("keyPath") ?? part.get("key"))?.take();
  const [, name] = /^\$\.metadata\.maps\.([\w-]{1,64})$/.exec(String(map.take())) ?? [];
  const values = name === undefined ? undefined : root.get("metadata", "maps", name, "values");
  if (values === undefined) unsupported("a map that is not there", part);
  const only = addresses.length === 1 ? addresses[0] : undefined;
  const key = keyPath === "@.chainId" ? String(chain.id) : keyPath === "@.to" ? only : undefined;
  if (key === undefined) unsupported("a map by something else than the chain or the only deployment", part);
  const found = values.entries().find(([text]) => text.toLowerCase() === key)?.[1];
  if (found === undefined) unsupported(`a map without a value for ${keyPath === "@.to" ? "it" : "Base"}`, part);
  return found.take();
}

/** One, or a list. Throws UnsupportedError. */
export function readAddresses(part: DescriptorPart, scope: ConstantScope): Address[] {
  return (part.elements() ?? [part]).map((one) => readConstantAddress(one, scope));
}

/** Throws UnsupportedError. */
export function readConstantAddress(part: DescriptorPart, scope: ConstantScope): Address {
  return requireAddress(readConstant(part, scope), "a constant that is no address", part);
}

/** Correct EIP-55, or letters in one case. Throws UnsupportedError; `none`: the message for no address. */
export function requireAddress(text: unknown, none: string, part: DescriptorPart): Address {
  const address = readAddress(text) ?? unsupported(none, part);
  const digits = String(text).slice(2);
  if (digits !== digits.toLowerCase() && digits !== digits.toUpperCase() && checksum(address) !== text)
    unsupported("an address with a wrong checksum", part);
  return address;
}
