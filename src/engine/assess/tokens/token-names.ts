import { type Address, checksum } from "../../../kernel/address.ts";
import { limits } from "../../../kernel/limits.ts";
import { isLabelled, type Labels, type TokenLabel } from "../../../model/label.ts";
import { state } from "../../../rules/ruleset/wording/phrases.ts";
import { nameRole } from "../examined/role.ts";
import type { Finding } from "../finding.ts";
import { findTwin } from "../poisoning.ts";
import type { SubjectAct } from "../subject-act.ts";
import { createSkeletons, foldCase, type Skeletons } from "./skeleton.ts";
import { readTextReasons, type TextReason, type WellKnownSkeletons } from "./token-text.ts";

/** Of unlabelled tokens, at most one of each kind a token. */
export function judgeTokenNames(tokens: readonly Address[], act: SubjectAct): Finding[] {
  return tokens.flatMap((token) => judgeToken(token, act));
}

function judgeToken(token: Address, act: SubjectAct): Finding[] {
  if (isLabelled(act.labels, token)) return [];
  const book = wellKnownBook(act.labels);
  const { reasons, imitation = findTwinToken(token, book) } = judgeTexts(token, act, book);
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

function judgeTexts(token: Address, { file, tx }: SubjectAct, book: WellKnownBook): JudgedTexts {
  const found = file.tokens[token];
  // A token that did not answer shows no text.
  if (found === undefined) return { reasons: [], imitation: undefined };
  const isPiece = tx.movements.some((move) => move.token === token && move.tokenId !== null);
  const fungible = found.standard === null && !isPiece;
  return readTexts({ symbol: found.symbol, name: found.name, fungible }, book);
}

/**
 * A well-known token whose shortened address is equal. Such addresses are cheap to make, most of all among B20 tokens, which share many
 * digits.
 */
function findTwinToken(token: Address, { tokens, addresses }: WellKnownBook): Imitation | undefined {
  const twin = findTwin(token, addresses);
  const genuine = twin && tokens.get(twin.address);
  return genuine && { genuine, basis: "address" };
}

/** null: the contract gave none. */
interface TokenTexts {
  symbol: string | null;
  name: string | null;
  fungible: boolean;
}

/** Equal for every token with these texts. */
interface JudgedTexts {
  reasons: readonly TextReason[];
  imitation: Imitation | undefined;
}

interface Imitation {
  genuine: TokenLabel;
  basis: Likeness;
}

type Likeness = "exact" | "casefold" | "confusable" | "name" | "decorated" | "address";

/** Remembered for texts of usual length: the same tokens move again and again. */
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

/** Unique; null: too long to remember. */
function keyOf({ symbol, name, fungible }: TokenTexts): string | null {
  if ((symbol?.length ?? 0) > limits.symbolCharsMax || (name?.length ?? 0) > limits.nameCharsMax) return null;
  return `${fungible} ${symbol?.length} ${symbol}${name === null ? "-" : `+${name}`}`;
}

interface WellKnownBook extends Skeletons {
  /** A pure cache. */
  judged: Map<string, JudgedTexts>;
  written: WellKnownSkeletons;
  tokens: ReadonlyMap<Address, TokenLabel>;
  addresses: readonly Address[];
  /** By lookalike key. */
  symbols: ReadonlyMap<string, TokenLabel>;
  /** By lookalike key, without blanks. */
  names: ReadonlyMap<string, TokenLabel>;
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
      tokens: new Map(tokens.map((token) => [token.address, token])),
      addresses: tokens.map(({ address }) => address),
      written: { ...skeletons, raw: new Set(symbols), skeletons: new Set(symbols.map(skeletons.skeleton)) },
      symbols: indexBy((token) => token.symbol),
      names: indexBy((token) => joined(token.name)),
    };
    books.set(labels, book);
  }
  return book;
}

function findGenuine(
  { symbol, name }: Pick<TokenTexts, "symbol" | "name">,
  book: WellKnownBook,
): Imitation | undefined {
  const plain = symbol?.trim() ?? "";
  const like = (text: string, index = book.symbols) => lookUp(text, index, book);
  let genuine = like(plain);
  if (genuine !== undefined) {
    const same = plain === genuine.symbol ? "exact" : foldCase(plain) === foldCase(genuine.symbol) ? "casefold" : null;
    return { genuine, basis: same ?? "confusable" };
  }
  genuine = like(joined(name ?? ""), book.names) ?? like(joined(plain), book.names);
  if (genuine !== undefined) return { genuine, basis: "name" };
  genuine = like(joined(plain.replace(ending, "")));
  // Shares in pools carry their protocol's symbol with a version.
  return genuine === undefined || (genuine.versioned && version.test(plain))
    ? undefined
    : { genuine, basis: "decorated" };
}

/** An NFT collection with a well-known symbol and a version, as if it held that protocol's positions. */
function findVersioned(symbol: string | null, book: WellKnownBook): Imitation | undefined {
  const plain = symbol?.trim() ?? "";
  const genuine = version.test(plain) ? lookUp(plain.replace(version, ""), book.symbols, book) : undefined;
  return genuine && { genuine, basis: "decorated" };
}

/** Make a symbol look like another edition. */
const signs = /[[\p{P}\p{S}\p{Z}]--[+]]/gv;
const ending = /(?:\d|[.\s_-]*v\d{1,2}|[.\s_-]+\d{1,2})$/i;
const version = /[.\s_-]*v\d{1,2}(?:[.\s_-].*)?$/i;

function joined(text: string): string {
  return text.replace(signs, "");
}

function lookUp(
  text: string,
  index: ReadonlyMap<string, TokenLabel>,
  { lookalikeKeys }: Skeletons,
): TokenLabel | undefined {
  // Digits for letters: 3 for E, 4 for A, 5 for S.
  const spelled = text.replace(/[$3-8]/g, (digit) => "EASGTB"[Number(digit) - 3] ?? "S");
  for (const key of [text, spelled].flatMap(lookalikeKeys)) {
    const found = key === "" ? undefined : index.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
