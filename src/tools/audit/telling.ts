import { type Address, checksum, readAddress, shorten } from "../../kernel/address.ts";
import { parseDecimal } from "../../kernel/amount.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { AssetMoved, Explanation } from "../../model/explanation.ts";
import type { Holding } from "./facts/facts.ts";
import { holdingOf } from "./facts/moves.ts";
import type { Knowledge } from "./knowledge.ts";

/** Read only from its public fields. */
export type AnswerReading = ReturnType<typeof readTelling>;

/** The summary leaves out assets that its accounts gave (rules/wording.yaml). */
const cutWords = /\b(?:more assets?|not explained|not everything was read|could not be read)\b|…$|… /i;

/** Its list of movements was too long. */
const listWords = /\bmovements? (?:is|are) not listed\b/;

/** Not all movements were read. */
const unreadWords = /\bnot everything was read: [^.]*\bmovements\b/i;

/** Further changes of control. */
const controlWords = /\bmade \d+ more changes? of control\b/;

/** The detail of a flag gives somebody a right (rules/wording.yaml). */
const powerWords = /\bthe (?:spender|operator|delegate) |\bmay (?:take|move) /i;

/** The purpose of a call is not known, but its movements are told. */
const purposeWords = /\bthe call was for is not known\b/;

/** It is not known what an asset was given for. */
const openWords = /\bnot explained\b/;

/** Clauses whose numbers are no movements of their own. */
const termWords =
  /\b(?:allow|spend|permi|debt|owe|least|most|may|limit|each|of which|of it|for it|part of|has the|have the|worth|fee|tried|would|not|collateral|borrow|supply|position|stream|vote|lent|loan|repa|lever|margin)/;

function movingClauses(summary: string): string[] {
  return summary.split(/(?<=[.;,]) | and (?=[a-z]+ed )/).filter((clause) => !termWords.test(clause));
}

export function readTelling(answer: Explanation, file: CaseFile, knowledge: Knowledge) {
  const { summary } = answer;
  const labels = new Map(answer.counterparties.map(({ address, label }) => [address.toLowerCase(), label]));
  const written = (text: string, address: Address): boolean => {
    const known = [labels.get(address), knowledge.name(address)?.label].filter((label) => label != null);
    return text.toLowerCase().includes(address) || [shorten(address), ...known].some((name) => text.includes(name));
  };
  const details = answer.risk_flags.map(({ detail }) => detail);
  const entries = Map.groupBy(answer.assets_moved, ({ token_address, token_id }) => {
    return holdingOf(readAddress(token_address) ?? null, token_id === undefined ? null : BigInt(token_id)).key;
  });
  const moved = ({ key }: Holding): AssetMoved[] => entries.get(key) ?? [];
  const decimals = (token: Address | null): number[] => decimalsOf(token, file, knowledge);
  /** Base units. Several where the token's decimals are not certain. */
  const sums = (entries: readonly AssetMoved[], { token, id }: Holding): bigint[] =>
    (id === null ? decimals(token) : [0]).flatMap((places) => {
      const amounts = entries.map(({ amount }) => parseDecimal(amount, places));
      return amounts.includes(undefined) ? [] : amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);
    });
  const amountsIn = (text: string, holding: Holding): (bigint | null)[] => {
    const symbols = namesOf(holding, moved(holding), knowledge);
    const own = readNumbers(text).filter(({ rest }) => startsWithAsset(rest, holding, symbols));
    return own.flatMap(({ digits, raw, times }) =>
      digits === null ? [null] : inUnits(digits, raw ? [0] : decimals(holding.token)).map((amount) => amount * times),
    );
  };
  return {
    answer,
    /** In full, short, or by a label. */
    names: (address: Address) => written(summary, address),
    /** Or a flag names it as a spender, operator or delegate. */
    tellsPower: (address: Address) =>
      written(summary, address) || details.some((detail) => powerWords.test(detail) && written(detail, address)),
    flags: (flag: Explanation["risk_flags"][number]["flag"], address: Address) =>
      answer.risk_flags.some((one) => one.flag === flag && written(one.detail, address)),
    /** `null`: "all" or "unlimited". */
    amounts: (holding: Holding) => amountsIn(summary, holding),
    /** The amounts of an asset that the summary states as moved: without allowances, terms and parts of what it has stated. */
    stated: (holding: Holding) =>
      movingClauses(summary).flatMap((clause) => amountsIn(clause, holding).flatMap((amount) => amount ?? [])),
    /** Every number in the summary, in base units of an asset. */
    numbers: ({ token }: Holding) => readNumbers(summary).flatMap(({ digits }) => inUnits(digits, decimals(token))),
    isOpen: (holding: Holding) =>
      summary.split(/(?<=\.) /).some((one) => openWords.test(one) && amountsIn(one, holding).length > 0),
    moved,
    sums,
    tellsNft: ({ token, id }: Holding) =>
      new RegExp(`#${id}(?!\\d)`).test(summary) || (token !== null && written(summary, token)),
    cutsAssets:
      cutWords.test(summary) ||
      (answer.partial && file.trace.source !== "none" && !listWords.test(summary) && !purposeWords.test(summary)),
    cutsList: answer.partial && (listWords.test(summary) || unreadWords.test(summary)),
    cutsControl: answer.partial && controlWords.test(summary),
  };
}

/** One for a listed token; all where the chain did not say. */
function decimalsOf(token: Address | null, { tokens }: CaseFile, knowledge: Knowledge): number[] {
  if (token === null) return [chain.currency.decimals];
  const listed = knowledge.token(token)?.decimals;
  if (listed !== undefined) return [listed];
  const said = tokens[token]?.decimals;
  return said === null || said === undefined
    ? Array.from({ length: 37 }, (_, places) => places)
    : [...new Set([said, 0])];
}

function inUnits(digits: string | null, decimals: readonly number[]): bigint[] {
  return digits === null ? [] : decimals.flatMap((places) => parseDecimal(digits, places) ?? []);
}

function namesOf({ token }: Holding, entries: readonly AssetMoved[], knowledge: Knowledge): string[] {
  if (token === null) return [chain.currency.symbol];
  const listed = knowledge.token(token)?.symbol;
  return listed === undefined ? entries.map((entry) => entry.token) : [listed];
}

/** A number in a sentence. */
interface ToldNumber {
  /** null: `all`, `unlimited` or `a`. */
  digits: string | null;
  /** The text after it. */
  rest: string;
  /** Of base units. */
  raw: boolean;
  /** How often its clause says that it was done. */
  times: bigint;
}

function readNumbers(text: string): ToldNumber[] {
  const numbers = text.matchAll(/(?<![\w.…#^-])(\d[\d,]*(?:\.\d+)?(?: × 10\^\d+)?|unlimited|all(?: its)?|an?)(?= )/g);
  return [...numbers].map((match) => {
    const [figures = "", exponent] = match[0].replaceAll(",", "").split(" × 10^");
    const digits = !/^\d/.test(figures) ? null : exponent === undefined ? figures : shifted(figures, Number(exponent));
    const after = text.slice(match.index + match[0].length);
    const times = /^(?:(?! and |[.;] ).)*?, (\d+) times\b/.exec(after)?.[1] ?? "1";
    const raw = /^ (?:wei|(?:raw|base) units?) of /.test(after);
    const rest = after.replace(/^ (?:wei of |(?:raw|base) units? of |× |of )?/, "");
    return { digits, rest, raw, times: BigInt(times) };
  });
}

/** `2.88` and 28 as digits. */
function shifted(figures: string, exponent: number): string {
  const [whole = "", fraction = ""] = figures.split(".");
  return whole + fraction.padEnd(exponent, "0");
}

/** `USDC`, `"FOO" (0x12…ab)`, `token 0x12…ab`. A quoted name counts only with the address. */
function startsWithAsset(text: string, { token, id }: Holding, symbols: readonly string[]): boolean {
  if (id !== null) return false;
  if (token !== null) {
    const short = shorten(token);
    const quoted = /^(?:"[^"]*"|token)\s\(?(0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}|0x[0-9a-fA-F]{40})/.exec(text)?.[1];
    if (quoted !== undefined) return quoted === short || quoted === checksum(token);
  }
  return symbols.some((symbol) => text.startsWith(symbol) && !/^[\w]/.test(text.slice(symbol.length)));
}
