import { chain } from "../../kernel/chain-profile.ts";
import type { Labels } from "../../model/label.ts";

const symbolSets = new WeakMap<Labels, ReadonlySet<string>>();

/** Lower-case symbols of well-known tokens. A sentence never shows such a symbol for a token that is not listed. */
export function wellKnownSymbols(labels: Labels): ReadonlySet<string> {
  let symbols = symbolSets.get(labels);
  if (symbols === undefined) {
    const tokens = labels.tokens().filter((token) => token.wellKnown);
    symbols = new Set([chain.currency.symbol.toLowerCase(), ...tokens.map((token) => token.symbol.toLowerCase())]);
    symbolSets.set(labels, symbols);
  }
  return symbols;
}
