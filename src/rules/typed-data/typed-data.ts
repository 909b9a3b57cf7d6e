import type { Hex } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import type { SignedDomain } from "../../model/message.ts";
import type { Value } from "../abi/abi-type.ts";
import { encodeType, type StructTypes, typeHash } from "../abi/struct-type.ts";
import { domainType, readDomain } from "./domain.ts";
import { isPlainObject, readTypes } from "./struct-types.ts";
import { refuseData, shownValue } from "./typed-data-error.ts";
import { ValueReader } from "./values.ts";

/** EIP-712 typed data, checked. */
export interface TypedData {
  domain: SignedDomain;
  primaryType: string;
  types: StructTypes;
  /** EIP-712, of the primary type. */
  typeHash: Hex;
  /** In the order of the members; see ValueReader. */
  values: Value[];
}

/**
 * `{ types, primaryType, domain, message }` of `eth_signTypedData_v4`, or its JSON text. Throws TypedDataError: `invalid_typed_data`
 * (malformed, too large), `other_chain`.
 */
export function readTypedData(raw: unknown): TypedData {
  const data = openText(raw);
  if (!isPlainObject(data)) return refuseData("it is no object");
  const types = readTypes(data.types);
  const { primaryType } = data;
  if (typeof primaryType !== "string" || !types.has(primaryType) || primaryType === domainType)
    return refuseData(`\`primaryType\` is ${shownValue(primaryType)}, which is none of \`types\``);
  const domain = readDomain(data.domain, types);
  const values = new ValueReader(types).struct(primaryType, data.message, "message");
  return { domain, primaryType, types, typeHash: typeHash(encodeType(primaryType, types)), values };
}

/** Too large or too deep; before anything walks it recursively. Throws TypedDataError. */
export function refuseLarge(raw: unknown): void {
  const max = limits.typedDataCharsMax;
  if (typeof raw === "string" && raw.length > max) refuseData(`it is longer than ${max} characters`);
  if (typeof raw !== "string" && !isSmall(raw)) refuseData(`it is larger than ${max} characters, or nests too deep`);
}

function openText(raw: unknown): unknown {
  refuseLarge(raw);
  if (typeof raw !== "string") return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return refuseData("it is no JSON");
  }
}

/** Roughly the characters of its JSON; stops at the limit. */
function isSmall(raw: unknown): boolean {
  let left: number = limits.typedDataCharsMax;
  const open: { value: unknown; depth: number }[] = [{ value: raw, depth: 0 }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { value, depth } = one;
    left -= typeof value === "string" ? value.length + 2 : 1;
    if (left < 0 || depth > limits.typedDepthMax * 4) return false;
    if (value === null || typeof value !== "object") continue;
    for (const [key, inner] of Object.entries(value)) {
      left -= key.length + 2;
      open.push({ value: inner, depth: depth + 1 });
    }
  }
  return true;
}
