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

/** Findings about the symbols and names of unlabelled tokens: at most one finding of each kind for a token. */
export function judgeTokenNames(tokens: readonly Address[], act: SubjectAct): Finding[] {
  return tokens.flatMap((token) => judgeToken(token, act));
}

function judgeToken(token: Address, act: SubjectAct): Finding[] {
  // A labelled token is known.
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
 * The well-known token whose address looks the same where addresses are shortened. Such addresses are cheap to make, most of all beside
 * those that have many digits in common, as all B20 tokens have.
 */
function findTwinToken(token: Address, { tokens, addresses }: WellKnownBook): Imitation | undefined {
  const twin = findTwin(token, addresses);
  const genuine = twin && tokens.get(twin.address);
  return genuine && { genuine, basis: "address" };
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

type Likeness = "exact" | "casefold" | "confusable" | "name" | "decorated" | "address";

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
  /** By address: the well-known tokens. */
  tokens: ReadonlyMap<Address, TokenLabel>;
  addresses: readonly Address[];
  /** By lookalike key of a symbol: its token. */
  symbols: ReadonlyMap<string, TokenLabel>;
  /** Lookalike key of a name without its blanks. */
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
  // Shares in pools carry the symbol of their protocol with a version.
  return genuine === undefined || (genuine.versioned && version.test(plain))
    ? undefined
    : { genuine, basis: "decorated" };
}

/**
 * The well-known token whose symbol an NFT collection carries with a version, as if it held positions of that token's protocol; undefined:
 * none.
 */
function findVersioned(symbol: string | null, book: WellKnownBook): Imitation | undefined {
  const plain = symbol?.trim() ?? "";
  const genuine = version.test(plain) ? lookUp(plain.replace(version, ""), book.symbols, book) : undefined;
  return genuine && { genuine, basis: "decorated" };
}

/** What is added to a symbol so that it looks like another edition of the token. */
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
  // Digits are written in place of letters: 3 for E, 4 for A, 5 for S, and so on.
  const spelled = text.replace(/[$3-8]/g, (digit) => "EASGTB"[Number(digit) - 3] ?? "S");
  for (const key of [text, spelled].flatMap(lookalikeKeys)) {
    const found = key === "" ? undefined : index.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
