import { type Address, readAddress } from "../../kernel/address.ts";
import { baseChainId, isWellSpelt } from "./contract.ts";
import { type Part, unsupported } from "./part.ts";

/** What constants may depend on. */
export interface ConstantScope {
  root: Part;
  addresses: readonly Address[];
}

/** True for a path into the descriptor itself, such as `$.metadata.constants.weth`. */
export function isOwnPath(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("$.");
}

/**
 * The constant that a parameter states: a literal, a path into the descriptor, or a map that the chain or the only deployment
 * decides (`metadata.maps`). Throws UnsupportedError.
 */
export function readConstant(part: Part, scope: ConstantScope): string | number | boolean {
  const map = part.get("map");
  const value = map === undefined ? part.take() : lookUp(part, map, scope);
  return plainOf(isOwnPath(value) ? resolve(value, part, scope) : value, part);
}

/** The value at a path into the descriptor. Throws UnsupportedError. */
export function resolve(path: string, at: Part, { root }: ConstantScope): string | number | boolean {
  const found = root.at(...path.slice(2).split("."));
  if (found === undefined) unsupported("a path to a constant that is not there", at);
  return plainOf(found.take(), at);
}

/** An address that a parameter states. Throws UnsupportedError. */
export function readConstantAddress(part: Part, scope: ConstantScope): Address {
  const text = readConstant(part, scope);
  const address = readAddress(text);
  if (address === undefined) unsupported("a constant that is no address", part);
  if (!isWellSpelt(String(text), address)) unsupported("an address with a wrong checksum", part);
  return address;
}

function lookUp(part: Part, map: Part, { root, addresses }: ConstantScope): unknown {
  const keyPath = (part.get("keyPath") ?? part.get("key"))?.take();
  const [, name] = /^\$\.metadata\.maps\.([\w-]{1,64})$/.exec(String(map.take())) ?? [];
  const values = name === undefined ? undefined : root.at("metadata", "maps", name, "values");
  if (values === undefined) unsupported("a map that is not there", part);
  const only = addresses.length === 1 ? addresses[0] : undefined;
  const key = keyPath === "@.chainId" ? String(baseChainId) : keyPath === "@.to" ? only : undefined;
  if (key === undefined) unsupported("a map by something else than the chain or the only deployment", part);
  const found = values.entries().find(([text]) => text.toLowerCase() === key)?.[1];
  if (found === undefined) unsupported(`a map without a value for ${keyPath === "@.to" ? "it" : "Base"}`, part);
  return found.take();
}

function plainOf(value: unknown, part: Part): string | number | boolean {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  unsupported("a constant that is no plain value", part);
}
