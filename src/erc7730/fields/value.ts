import type { FunctionItem } from "../../abi/signature.ts";
import type { Address } from "../../kernel/address.ts";
import { type ConstantScope, readConstant, readConstantAddress } from "../descriptor/constant.ts";
import { baseChainId } from "../descriptor/contract.ts";
import { type Part, UnsupportedError, unsupported } from "../descriptor/part.ts";
import type { Condition } from "./condition.ts";
import type { Field } from "./field-list.ts";
import { type CallValue, locate } from "./path.ts";

/** The capture of the rule language for one field, and what must hold so that its value can be told. */
export interface FieldCapture {
  capture: Readonly<Record<string, unknown>>;
  /** Values of the call that it reads. */
  reads: readonly CallValue[];
  conditions: readonly Condition[];
}

/** What fields of one function are read with. */
export interface CaptureScope extends ConstantScope {
  item: FunctionItem;
}

export const wrongType = "a value of another type than its format needs";

/** Where the value of a field is, which must be of that type. Throws UnsupportedError. */
export function fieldValue({ path }: Field, { item }: CaptureScope, type: "address" | "uint"): CallValue {
  const found = locate(path, item, type);
  if (found.type !== type) unsupported(wrongType);
  return found;
}

/** Where the address is that a parameter points to: relative to the group of its field, else to the call. Throws UnsupportedError. */
export function parameterOf({ group }: Field, path: string, { item }: CaptureScope): CallValue {
  const tries = group === "" || /^[#@$]/.test(path) ? [path] : [`${group}.${path}`, path];
  for (const [i, one] of tries.entries()) {
    try {
      const found = locate(one, item, "address");
      if (found.type === "address") return found;
    } catch (error) {
      if (!(error instanceof UnsupportedError) || i === tries.length - 1) throw error;
    }
  }
  unsupported(wrongType);
}

/** Addresses that a parameter states, one or a list. Throws UnsupportedError. */
export function readAddresses(part: Part, scope: ConstantScope): Address[] {
  const parts = Array.isArray(part.value) ? part.entries().map(([, one]) => one) : [part];
  return parts.map((one) => readConstantAddress(one, scope));
}

/** Throws UnsupportedError for a token that is not on Base, or on a chain that the call names. */
export function refuseOtherChain(params: Part | undefined, scope: ConstantScope): void {
  const [path, chain] = [params?.get("chainIdPath"), params?.get("chainId")];
  if (path !== undefined && path.take() !== "@.chainId") unsupported("a token on a chain that the call names", path);
  if (chain !== undefined && Number(readConstant(chain, scope)) !== baseChainId)
    unsupported("a token on another chain", chain);
}

/** The text of a path parameter. Throws UnsupportedError. */
export function textOf(part: Part | undefined): string {
  const value = part?.take();
  if (typeof value !== "string") unsupported("a path that is no text", part);
  return value;
}
