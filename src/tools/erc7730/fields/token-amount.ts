import { checksum, isNativePlaceholder } from "../../../kernel/address.ts";
import { unlimitedThreshold } from "../../../kernel/amount.ts";
import { readAddresses, readConstant } from "../descriptor/constant.ts";
import { unsupported } from "../descriptor/part.ts";
import { lowerWords, readPlain } from "../descriptor/plain-text.ts";
import { type CapturedField, orNumber, told, toldAs } from "./captured-field.ts";
import { isNoneOf, isSome, isThere, readLiteral } from "./condition.ts";
import type { Field } from "./field.ts";
import { fieldValue, readAddressParameter, readTokenChain } from "./field-value.ts";

/** Ether where the token is its placeholder; the plain number where the token is unknown, as in wallets. */
export function captureTokenAmount(field: Field): CapturedField {
  const at = fieldValue(field, "uint", "int");
  const here = readTokenChain(field);
  const stated = field.part.get("params", "nativeCurrencyAddress");
  const signs = stated === undefined ? [] : readAddresses(stated, field.scope);
  const token = readAddressParameter(field, "token");
  const cap = readCap(field);
  // An `amount` capture shows no sign, so a negative number would look like a positive one.
  if (token === undefined || here === "elsewhere" || at.type === "int") return toldAs("integer", isThere(at));
  if (typeof token === "string") {
    const of = isNativePlaceholder(token) || signs.includes(token) ? "native" : checksum(token);
    return orNumber(told({ amount: at.path, of, ...cap }, isSome(at), ...here), at.path, here);
  }
  const own = signs.filter((sign) => !isNativePlaceholder(sign));
  if (own.length === 0) {
    const needed = [isThere(token), ...here];
    return orNumber(told({ amount: at.path, of: token.path, ...cap }, isSome(at), ...needed), at.path, needed);
  }
  if (here.length > 0) unsupported("an address of its own that stands for ether on one chain", stated);
  const needed = isNoneOf(token, own);
  const amount = told({ amount: at.path, of: token.path, ...cap }, isSome(at), ...needed);
  return { ...amount, otherwise: { capture: { amount: at.path, of: "native", ...cap }, unless: needed } };
}

/** Words from this number on. Empty where it is "unlimited" anyway. */
function readCap({ part, scope }: Field): { cap?: string; capped?: string } {
  const threshold = part.get("params", "threshold");
  if (threshold === undefined) return {};
  const from = readLiteral(readConstant(threshold, scope), "uint");
  if (typeof from !== "bigint" || from === 0n) unsupported("a threshold that is no number above zero", threshold);
  // The ERC's own examples call it thresholdLabel.
  const message = part.get("params", "message") ?? part.get("params", "thresholdLabel");
  const text = message === undefined ? "Unlimited" : readPlain(readConstant(message, scope), "label");
  const capped = lowerWords(text ?? "");
  if (!/^[A-Za-z][A-Za-z -]{0,31}$/.test(capped)) unsupported("a message that is not short and plain", message);
  return from >= unlimitedThreshold && capped === "unlimited" ? {} : { cap: String(from), capped };
}
