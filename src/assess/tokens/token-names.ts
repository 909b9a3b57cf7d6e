import { type Address, checksum } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import { isLabelled, type Labels, type TokenLabel } from "../../model/label.ts";
import { state } from "../../ruleset/wording/phrases.ts";
import { nameRole } from "../examined/role.ts";
import type { Finding } from "../finding.ts";
import type { SubjectAct } from "../subject-act.ts";
import { createSkeletons, foldCase, type Skeletons } from "./skeleton.ts";
import { readTextReasons, type TextReason, type WellKnownSkeletons } from "./token-text.ts";

/** Findings about the symbols and names of unlabelled tokens: at most one finding of each kind for a token. */
export function judgeTokenNames(tokens: readonly Address[], act: SubjectAct): Finding[] {
  return tokens.flatMap((token) => judgeToken(token, act));
}

function judgeToken(token: Address, { file, labels, tx }: SubjectAct): Finding[] {
  const found = file.tokens[token];
  // A labelled token is known. A token that did not answer shows no text.
  if (found === undefined || isLabelled(labels, token)) return [];
  const fungible =
    found.standard === null && !tx.movements.some((move) => move.token === token && move.tokenId !== null);
  const { reasons, imitation } = readTexts({ symbol: found.symbol, name: found.name, fungible }, wellKnownBook(labels));
  const findings: Finding[] = [];
  if (reasons.length === 0 && imitation === undefined) return findings;
  const common = { address: token, role: "token", evidence: [`token ${checksum(token)}`] };
  if (reasons.length > 0) {
    const told = reasons.map((reason) => state(`odd_text.${reason}`, {}));
    const statement = state("flag.odd_text", { token: nameRole("token", token), reasons: told });
    findings.push({ flag: "nonstandard_token_symbol", statement, basis: reasons.join(" "), ...common });
  }
  if (imitation !== undefined) {
    const { genuine, basis } = imitation;
    const { symbol } = genuine;
    const likeness = state(`likeness.${basis}`, { symbol });
    const fill = { token: nameRole("token", token), likeness, symbol, genuine: genuine.address };
    const statement = state("flag.imitation", fill);
    findings.push({ flag: "impersonated_token", statement, basis, ...common });
  }
  return findings;
}

/** Symbol and name as a token contract gave them; null: it gave none. */
interface TokenTexts {
  symbol: string | null;
  name: string | null;
  fungible: boolean;
}

/** The judgement about a symbol and a name. It is the same for every token that has them. */
interface JudgedTexts {
  reasons: readonly TextReason[];
  imitation: Imitation | undefined;
}

interface Imitation {
  genuine: TokenLabel;
  basis: Likeness;
}

type Likeness = "exact" | "casefold" | "confusable" | "name" | "decorated";

/** Judges texts. Judgements on texts of usual length are remembered, since the same tokens move again and again. */
function readTexts(texts: TokenTexts, book: WellKnownBook): JudgedTexts {
  const key = keyOf(texts);
  const known = key === null ? undefined : book.judged.get(key);
  if (known !== undefined) return known;
  const imitation = texts.fungible ? findGenuine(texts, book) : findVersioned(texts.symbol, book);
  const judged = { reasons: readTextReasons(texts, book.written), imitation };
  if (book.judged.size >= judgedMax) book.judged.clear();
  if (key !== null) book.judged.set(key, judged);
  return judged;
}

const judgedMax = 5_000;

/** A key for the memory. Different texts always have different keys. null: the texts are too long to remember. */
function keyOf({ symbol, name, fungible }: TokenTexts): string | null {
  if ((symbol?.length ?? 0) > limits.symbolCharsMax || (name?.length ?? 0) > limits.nameCharsMax) return null;
  return `${fungible} ${symbol?.length} ${symbol}${name === null ? "-" : `+${name}`}`;
}

interface WellKnownBook extends Skeletons {
  /** A pure cache of judgements, by the key of the texts. */
  judged: Map<string, JudgedTexts>;
  written: WellKnownSkeletons;
  /** By lookalike key of a symbol: its token. */
  symbols: ReadonlyMap<string, TokenLabel>;
  names: ReadonlyMap<string, TokenLabel>;
  /** Lookalike key of a name without its blanks. */
  joinedNames: ReadonlyMap<string, TokenLabel>;
}

const books = new WeakMap<Labels, WellKnownBook>();

function wellKnownBook(labels: Labels): WellKnownBook {
  let book = books.get(labels);
  if (book === undefined) {
    const tokens = labels.tokens().filter((token) => token.wellKnown);
    const skeletons = createSkeletons(labels.confusables);
    const indexBy = (textOf: (token: TokenLabel) => string) =>
      new Map(
        tokens
          .toReversed()
          .flatMap((token) => skeletons.lookalikeKeys(textOf(token)).map((key) => [key, token] as const)),
      );
    const symbols = tokens.map((token) => token.symbol);
    book = {
      ...skeletons,
      judged: new Map(),
      written: { ...skeletons, raw: new Set(symbols), skeletons: new Set(symbols.map(skeletons.skeleton)) },
      symbols: indexBy((token) => token.symbol),
      names: indexBy((token) => token.name),
      joinedNames: indexBy((token) => joined(token.name)),
    };
    books.set(labels, book);
  }
  return book;
}

function findGenuine(
  { symbol, name }: Pick<TokenTexts, "symbol" | "name">,
  book: WellKnownBook,
): Imitation | undefined {
  const bySymbol = symbol === null ? undefined : lookUp(symbol, book.symbols, book);
  if (symbol !== null && bySymbol !== undefined) {
    const plain = symbol.trim();
    const same =
      plain === bySymbol.symbol ? "exact" : foldCase(plain) === foldCase(bySymbol.symbol) ? "casefold" : undefined;
    return { genuine: bySymbol, basis: same ?? "confusable" };
  }
  const byName =
    (name === null ? undefined : lookUp(name, book.names, book)) ??
    (symbol === null ? undefined : lookUp(joined(symbol), book.joinedNames, book));
  if (byName !== undefined) return { genuine: byName, basis: "name" };
  const bare = symbol?.trim().replace(sign, "").replace(ending, "");
  const decorated = bare === undefined || bare === symbol ? undefined : lookUp(bare, book.symbols, book);
  // Shares in pools carry the symbol of their protocol with a version.
  if (decorated === undefined || (decorated.versioned === true && version.test(symbol ?? ""))) return undefined;
  return { genuine: decorated, basis: "decorated" };
}

/**
 * The well-known token whose symbol an NFT collection carries with a version, as if it held positions of that token's protocol; undefined:
 * none.
 */
function findVersioned(symbol: string | null, book: WellKnownBook): Imitation | undefined {
  const bare = symbol?.trim().replace(version, "");
  const genuine = bare === undefined || bare === symbol?.trim() ? undefined : lookUp(bare, book.symbols, book);
  return genuine === undefined ? undefined : { genuine, basis: "decorated" };
}

/** What is added to a symbol so that it looks like another edition of the token. */
const sign = /^[$＄]/;
const ending = /(?:\d|[.\s_-]+|[.\s_-]*v\d{1,2}|[.\s_-]+\d{1,2})$/i;
const version = /[.\s_-]*v\d{1,2}(?:[.\s_-].*)?$/i;

function joined(text: string): string {
  return text.replace(/[\s._-]+/g, "");
}

function lookUp(
  text: string,
  index: ReadonlyMap<string, TokenLabel>,
  { lookalikeKeys }: Skeletons,
): TokenLabel | undefined {
  for (const key of lookalikeKeys(text)) {
    const found = key === "" ? undefined : index.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
