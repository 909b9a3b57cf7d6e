import { checksum, isNativePlaceholder } from "../../kernel/address.ts";
import { unlimitedThreshold } from "../../kernel/amount.ts";
import { readConstant, readConstantAddress } from "../descriptor/constant.ts";
import { type Part, unsupported } from "../descriptor/part.ts";
import { lowerWords, readPlain } from "../descriptor/plain-text.ts";
import { type Condition, isSome, isThere, readLiteral } from "./condition.ts";
import type { Field } from "./field-list.ts";
import type { CallValue } from "./path.ts";
import {
  type CaptureScope,
  type FieldCapture,
  fieldValue,
  parameterOf,
  readAddresses,
  refuseOtherChain,
  textOf,
} from "./value.ts";

/** The capture for the format `tokenAmount`. Throws UnsupportedError. */
export function captureTokenAmount(field: Field, scope: CaptureScope): FieldCapture {
  const params = field.part.get("params");
  refuseOtherChain(params, scope);
  const at = fieldValue(field, scope, "uint");
  const token = readToken(field, params, scope);
  return {
    capture: { amount: at.path, of: token.of, ...readCap(params, scope) },
    reads: [at, ...token.reads],
    conditions: [...isSome(at), ...token.conditions],
  };
}

function readToken(
  field: Field,
  params: Part | undefined,
  scope: CaptureScope,
): { of: string; reads: CallValue[]; conditions: Condition[] } {
  const native = params?.get("nativeCurrencyAddress");
  const signs = native === undefined ? [] : readAddresses(native, scope);
  const [path, constant] = [params?.get("tokenPath"), params?.get("token")];
  if (path !== undefined && constant !== undefined) unsupported("a token and the path of another one", constant);
  if (constant !== undefined || /^(?:0x|\$\.)/.test(String(path?.value))) {
    const address = readConstantAddress((constant ?? path) as Part, scope);
    const isEther = isNativePlaceholder(address) || signs.includes(address);
    return { of: isEther ? "native" : checksum(address), reads: [], conditions: [] };
  }
  if (path === undefined) unsupported("an amount without its token");
  if (signs.some((sign) => !isNativePlaceholder(sign)))
    unsupported("an address of its own that stands for ether", native);
  const token = parameterOf(field, textOf(path), scope);
  return { of: token.path, reads: [token], conditions: isThere(token) };
}

/** The number from which on words stand for the amount; nothing where it would be told as unlimited anyway. */
function readCap(params: Part | undefined, scope: CaptureScope): { cap?: string; capped?: string } {
  const threshold = params?.get("threshold");
  if (threshold === undefined) return {};
  const from = readLiteral(readConstant(threshold, scope), "uint");
  if (typeof from !== "bigint" || from === 0n) unsupported("a threshold that is no number above zero", threshold);
  // The ERC's own examples call it thresholdLabel.
  const message = params?.get("message") ?? params?.get("thresholdLabel");
  const text = message === undefined ? "Unlimited" : readPlain(readConstant(message, scope), "label");
  const capped = text === undefined ? "" : lowerWords(text);
  if (!/^[A-Za-z][A-Za-z -]{0,31}$/.test(capped)) unsupported("a message that is not short and plain", message);
  return from >= unlimitedThreshold && capped === "unlimited" ? {} : { cap: String(from), capped };
}
