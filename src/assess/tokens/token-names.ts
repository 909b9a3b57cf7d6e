import { type Address, checksum } from "../../kernel/address.ts";
import type { RiskFinding } from "../../model/evidence.ts";
import type { Labels, TokenLabel } from "../../model/label.ts";
import { nameRole, openWithRole } from "../role.ts";
import type { SubjectAct } from "../subject-act.ts";
import { foldCase, lookalikeKeys, skeleton } from "./skeleton.ts";
import { readTextReasons, type TextReason, type WellKnownSkeletons } from "./token-text.ts";

/** Findings about the symbols and names of strangers' tokens; at most one of each kind for a token. */
export function judgeTokenNames(tokens: readonly Address[], act: SubjectAct): RiskFinding[] {
  return tokens.flatMap((token) => judgeToken(token, act));
}

function judgeToken(token: Address, { file, labels, tx }: SubjectAct): RiskFinding[] {
  const found = file.tokens[token];
  // Whom our labels name is known; what did not answer shows nothing.
  if (found === undefined || labels.token(token) !== undefined || labels.name(token) !== undefined) return [];
  const fungible =
    found.standard === null && !tx.movements.some((move) => move.token === token && move.tokenId !== null);
  const book = wellKnownBook(labels);
  const { symbol, name } = found;
  const findings: RiskFinding[] = [];
  const reasons = readTextReasons({ symbol, name, fungible }, book.written);
  const common = { address: token, role: "token", evidence: [`token ${checksum(token)}`] };
  if (reasons.length > 0) {
    const why = reasons.map((reason) => words[reason]).join("; ");
    const detail = `The symbol or name of ${nameRole("token", token)} is not plain text: ${why}.`;
    findings.push({ flag: "nonstandard_token_symbol", detail, basis: reasons.join(" "), ...common });
  }
  const imitation = fungible ? findGenuine({ symbol, name }, book) : undefined;
  if (imitation !== undefined) {
    const { genuine, basis } = imitation;
    const detail =
      `${openWithRole("token", token)} ${likeness[basis](genuine.symbol)}, ` +
      `but the well-known ${genuine.symbol} is ${checksum(genuine.address)}.`;
    findings.push({ flag: "impersonated_token", detail, basis, ...common });
  }
  return findings;
}

const words: Record<TextReason, string> = {
  invalid_utf8: "bytes that are no UTF-8",
  empty: "nothing that can be seen",
  too_long: "longer than a symbol or name is",
  control_or_bidi: "control, direction or invisible characters",
  url_or_domain: "a link, domain or handle",
  call_to_action: "a call to claim or visit something",
  markup: "markup",
  mixed_script: "letters of several scripts mixed",
  whole_script_confusable: "look-alike letters of a well-known symbol",
  compat_form: "styled or wide forms of letters",
  combining_marks: "stacked marks",
  instruction_like: "an instruction to the reader",
};

type Likeness = "exact" | "casefold" | "confusable" | "name" | "decorated";

const likeness: Record<Likeness, (symbol: string) => string> = {
  exact: (symbol) => `has the symbol ${symbol}`,
  casefold: (symbol) => `has the symbol ${symbol} in other letter case`,
  confusable: (symbol) => `has a symbol that looks like ${symbol}`,
  name: (symbol) => `has the name of ${symbol}`,
  decorated: (symbol) => `has the symbol ${symbol} with a sign added`,
};

interface WellKnownBook {
  written: WellKnownSkeletons;
  /** Lookalike key of a symbol to its token. */
  symbols: ReadonlyMap<string, TokenLabel>;
  names: ReadonlyMap<string, TokenLabel>;
}

const books = new WeakMap<Labels, WellKnownBook>();

function wellKnownBook(labels: Labels): WellKnownBook {
  let book = books.get(labels);
  if (book === undefined) {
    const tokens = labels.tokens().filter((token) => token.wellKnown);
    const indexBy = (textOf: (token: TokenLabel) => string) =>
      new Map(tokens.toReversed().flatMap((token) => lookalikeKeys(textOf(token)).map((key) => [key, token] as const)));
    const symbols = tokens.map((token) => token.symbol);
    book = {
      written: { raw: new Set(symbols), skeletons: new Set(symbols.map(skeleton)) },
      symbols: indexBy((token) => token.symbol),
      names: indexBy((token) => token.name),
    };
    books.set(labels, book);
  }
  return book;
}

function findGenuine(
  { symbol, name }: { symbol: string | null; name: string | null },
  book: WellKnownBook,
): { genuine: TokenLabel; basis: Likeness } | undefined {
  const bySymbol = symbol === null ? undefined : lookUp(symbol, book.symbols);
  if (symbol !== null && bySymbol !== undefined) {
    const plain = symbol.trim();
    const same =
      plain === bySymbol.symbol ? "exact" : foldCase(plain) === foldCase(bySymbol.symbol) ? "casefold" : undefined;
    return { genuine: bySymbol, basis: same ?? "confusable" };
  }
  const byName = name === null ? undefined : lookUp(name, book.names);
  if (byName !== undefined) return { genuine: byName, basis: "name" };
  const bare = symbol
    ?.trim()
    .replace(/^[$＄]/, "")
    .replace(/[.\d]$/, "");
  const decorated = bare === undefined || bare === symbol ? undefined : lookUp(bare, book.symbols);
  return decorated === undefined ? undefined : { genuine: decorated, basis: "decorated" };
}

function lookUp(text: string, index: ReadonlyMap<string, TokenLabel>): TokenLabel | undefined {
  for (const key of lookalikeKeys(text)) {
    const found = key === "" ? undefined : index.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
