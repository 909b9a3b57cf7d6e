import { readAddress } from "../../../../kernel/address.ts";
import type { AbiType } from "../../../abi/abi-type.ts";
import {
  addressInNumber,
  addressInWord,
  bytesIn,
  bytesLength,
  isOffset,
  numberIn,
  slice,
  textInBytes,
} from "../../../abi/word-view.ts";
import { address, bytes, type CompiledPath, type PathSource, text, uint } from "./fixed-paths.ts";

/** `.address`, `.text`, `.length`, or a part (see {@link partPath}). Undefined where the type has no such view. */
export function castPath(
  layout: AbiType,
  [cast, ...rest]: readonly string[],
  get: CompiledPath["get"],
): CompiledPath | undefined {
  if (cast === "address" && rest.length === 0) return addressPath(layout, get);
  if (cast === "text" && rest.length === 0 && layout.kind === "fixed")
    return text((source) => textInBytes(get(source)));
  const isBytes = layout.kind === "bytes" || layout.kind === "fixed";
  if (isBytes && cast === "length" && rest.length === 0) return uint((source) => bytesLength(get(source)));
  if (isBytes) return partPath(cast, rest, get);
  if (layout.kind !== "uint") return undefined;
  const digits = layout.bits / 4;
  return partPath(cast, rest, (source) => bytesIn(get(source), digits));
}

/** `.address` */
function addressPath(layout: AbiType, get: CompiledPath["get"]): CompiledPath | undefined {
  if (layout.kind === "fixed" && layout.size === 32) return address((source) => addressInWord(get(source)));
  if (layout.kind === "uint") return address((source) => addressInNumber(get(source)));
  return layout.kind === "string" ? address((source) => readAddress(get(source))) : undefined;
}

/** `.addressAt.<byte>`, `.uintAt.<byte>.<size>`, `.bytesAt.<byte>.<size>` */
function partPath(
  cast: string | undefined,
  [first, second, ...more]: readonly string[],
  bytesOf: CompiledPath["get"],
): CompiledPath | undefined {
  if (!isOffset(first) || more.length > 0) return undefined;
  if (cast === "addressAt" && second === undefined)
    return address((source) => slice(bytesOf(source), Number(first), 20));
  if (!isOffset(second)) return undefined;
  const part = (source: PathSource) => slice(bytesOf(source), Number(first), Number(second));
  if (cast === "uintAt") return uint((source) => numberIn(part(source)));
  return cast === "bytesAt" ? bytes(part) : undefined;
}
