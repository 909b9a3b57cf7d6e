import { decimalText, readableAmount } from "../../../../src/kernel/amount.ts";
import { shortHex } from "../../../../src/kernel/hex.ts";
import type { WalletTest } from "./wallet-test.ts";

/** Whether a sentence tells a value that a wallet shows. Undefined for names of ENS, which are not looked up. */
export function tells(sentence: string, value: string, { tokens, ens, names }: WalletTest): boolean | undefined {
  if (ens.has(value)) return undefined;
  const has = (text: string) => hasWord(sentence, text);
  if (/^0x[0-9a-f]*$/i.test(value)) return has(value) || (value.length > 12 && has(shortHex(value)));
  const day = /^(\d{4}-\d\d-\d\d) \d\d:/.exec(value);
  if (day !== null) return has(day[1] as string);
  const symbols = [...tokens.values()].filter(({ name }) => name === value).map(({ symbol }) => symbol);
  const addresses = [...names].filter(([, name]) => name === value).map(([address]) => shortHex(address));
  if ([value, ...symbols, ...addresses].some(has)) return true;
  const amount = /^(\d[\d.]*) ?(\S.*)?$/.exec(value.trim());
  return amount !== null && tellsAmount(sentence, amount[1] as string, amount[2] ?? "");
}

/** A number as it is, rounded as sentences round, with the same unit where there is one. */
function tellsAmount(sentence: string, figure: string, unit: string): boolean {
  const [whole = "", fraction = ""] = figure.split(".");
  const units = BigInt(whole + fraction);
  const forms = new Set([
    decimalText(units, fraction.length),
    readableAmount(units, fraction.length).replaceAll(",", ""),
  ]);
  const numbers = sentence.matchAll(/(?<![\w.#…x])([\d,]*\d(?:\.\d+)?)(?: ?("?[^\s",]+|%))?/g);
  return [...numbers].some(([, ours = "", symbol = ""]) => {
    const isUnit = unit === "" || symbol.replace(/["+.]/g, "").toLowerCase() === unit.replace("+", "").toLowerCase();
    return isUnit && forms.has(ours.replaceAll(",", ""));
  });
}

function hasWord(sentence: string, text: string): boolean {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w.…])${escaped}(?![\\w…])`, "i").test(sentence);
}
