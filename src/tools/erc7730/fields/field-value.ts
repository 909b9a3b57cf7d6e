import type { Address } from "../../../kernel/address.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { readConstant, readConstantAddress } from "../descriptor/constant.ts";
import { UnsupportedError, unsupported } from "../descriptor/part.ts";
import { type Condition, isAmong } from "./condition.ts";
import type { Field } from "./field.ts";
import { type CallValue, joinPath, locate } from "./path.ts";

const wrongType = "a value of another type than its format needs";

/** Throws UnsupportedError for another type. */
export function fieldValue({ path, scope }: Field, ...types: CallValue["type"][]): CallValue {
  const found = locate(path, scope.item, types.includes("address") ? "address" : "uint");
  if (!types.includes(found.type)) unsupported(wrongType);
  return found;
}

/** A constant (`token`), or a path (`tokenPath`, perhaps to a constant). Undefined for none. Throws UnsupportedError. */
export function readAddressParameter(field: Field, name: "token" | "collection"): Address | CallValue | undefined {
  const [constant, path] = [field.part.get("params", name), field.part.get("params", `${name}Path`)];
  if (constant !== undefined && path !== undefined) unsupported(`a ${name} and the path of another one`, constant);
  const stated = /^(?:0x|\$\.)/.test(String(path?.value)) ? path : constant;
  if (stated !== undefined) return readConstantAddress(stated, field.scope);
  if (path === undefined) return undefined;
  const text = path.take();
  if (typeof text !== "string") unsupported("a path that is no text", path);
  return addressAt(field, text);
}

/** Relative to the field's group, then to the call. */
function addressAt({ group, scope }: Field, path: string): CallValue {
  const found = locateIf(joinPath(group, path), scope, "address") ?? locate(path, scope.item, "address");
  return found.type === "address" ? found : unsupported(wrongType);
}

/** undefined where missing, unreadable, or of another type. */
function locateIf(path: string, { item }: Field["scope"], type: "address" | "uint"): CallValue | undefined {
  try {
    const found = locate(path, item, type);
    return found.type === type ? found : undefined;
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    throw error;
  }
}

/** `<name>Path`; undefined where missing, unreadable, or of another type. */
export function parameterAt(field: Field, name: string, type: "address" | "uint"): CallValue | undefined {
  for (const key of [name, "selector", "chainId"]) field.part.get("params", key)?.take();
  const path = field.part.get("params", `${name}Path`)?.take();
  return typeof path === "string" ? locateIf(path, field.scope, type) : undefined;
}

/** Conditions for a token on Base; `elsewhere` where it never is. Throws UnsupportedError. */
export function readTokenChain(field: Field): "elsewhere" | readonly Condition[] {
  const [path, stated] = ["chainIdPath", "chainId"].map((key) => field.part.get("params", key));
  if (stated !== undefined && Number(readConstant(stated, field.scope)) !== chain.id) {
    stated.note("a token on another chain: its name and decimals are not known");
    return "elsewhere";
  }
  const named = path === undefined || path.value === "@.chainId" ? undefined : parameterAt(field, "chainId", "uint");
  if (path !== undefined && path.take() !== "@.chainId" && named === undefined)
    unsupported("a chain that cannot be read", path);
  return named === undefined ? [] : [isAmong(named, [BigInt(chain.id)])];
}
