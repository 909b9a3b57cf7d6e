import { checksum, readAddress } from "../../kernel/address.ts";
import { canonicalJson, compareText } from "../../kernel/canonical.ts";
import { limits } from "../../kernel/limits.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { listSources } from "../documents/citation.ts";
import { createReporter } from "../documents/reporter.ts";
import type { DocumentPath } from "../documents/source-document.ts";
import { chainAddresses, checkChain } from "./check-chain.ts";
import { labelCodes } from "./code.ts";
import type { LabelEntries, Located, Report } from "./entry.ts";

/** Characters; sentences use both. */
const labelCharsMax = 48;

/** What the schema cannot find (LB108 to LB117), in all files together and in any order. */
export function checkEntries(entries: LabelEntries): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const report: Report = ({ document, path }, within, code, message, options) =>
    createReporter(document, diagnostics).report(code, [...path, ...within], message, {
      level: labelCodes[code].level,
      ...options,
    });
  for (const check of checks) check(entries, report);
  return diagnostics;
}

const checks = [
  ...[checkAddresses, checkTexts, checkSources, checkExtends],
  ...[checkAccounts, checkDuplicates, checkDecimals, checkSymbols, checkChain],
] as const;

function checkAddresses(entries: LabelEntries, report: Report): void {
  const { tokens, names, roles, decimals, feeds } = entries;
  const check = (entry: Located<unknown>, within: DocumentPath, text: string): void => {
    if (entry.document.checked) return;
    const address = readAddress(text);
    const right = address === undefined ? text : checksum(address);
    const message = `The address \`${text}\` is not in EIP-55 form; \`${right}\` was expected.`;
    if (right !== text) report(entry, within, "LB108", message, { suggest: right });
  };
  for (const entry of [...tokens, ...names]) check(entry, ["address"], entry.value.address);
  for (const entry of roles)
    for (const [i, text] of entry.value.addresses.entries()) check(entry, ["addresses", i], text);
  for (const entry of decimals) for (const [i, text] of entry.value.tokens.entries()) check(entry, ["tokens", i], text);
  for (const entry of feeds) {
    check(entry, ["token"], entry.value.token);
    check(entry, ["feed"], entry.value.feed);
  }
  for (const { entry, within, text } of chainAddresses(entries)) check(entry, within, text);
}

/** A token of `tokens` has its decimals there. */
function checkDecimals({ tokens, decimals }: LabelEntries, report: Report): void {
  const known = new Set(tokens.map(({ value }) => value.address.toLowerCase()));
  for (const entry of decimals)
    entry.value.tokens.forEach((address, i) => {
      if (known.has(address.toLowerCase()))
        report(entry, ["tokens", i], "LB110", `The token \`${address}\` is listed twice.`);
      known.add(address.toLowerCase());
    });
}

function checkTexts({ tokens, names, schemes, precompiles }: LabelEntries, report: Report): void {
  const check = (entry: Located<unknown>, within: DocumentPath, text: string, charsMax: number): void => {
    const problem = findTextProblem(text, charsMax);
    if (problem === undefined) return;
    const inside = { offset: problem.index, length: problem.length };
    report(entry, within, "LB109", `This text may not be shown: ${problem.message}.`, { inside });
  };
  for (const entry of tokens) {
    check(entry, ["symbol"], entry.value.symbol, limits.symbolCharsMax);
    check(entry, ["name"], entry.value.name, limits.nameCharsMax);
  }
  for (const entry of names) check(entry, ["label"], entry.value.label, labelCharsMax);
  for (const entry of precompiles) check(entry, ["name"], entry.value.name, labelCharsMax);
  for (const entry of schemes)
    for (const [id, name] of Object.entries(entry.value.names)) check(entry, ["names", id], name, labelCharsMax);
}

function checkSources({ sources, ...entries }: LabelEntries, report: Report): void {
  for (const list of sources) {
    const { defined, used } = list.value;
    for (const entry of Object.values(entries).flat()) {
      const { source } = entry.value;
      for (const [i, id] of listSources(source).entries()) {
        if (entry.document !== list.document || Object.hasOwn(defined, id)) continue;
        const message = `The source \`${id}\` is not defined; one of ${Object.keys(defined).join(", ")} was expected.`;
        report(entry, Array.isArray(source) ? ["source", i] : ["source"], "LB114", message);
      }
    }
    for (const id of Object.keys(defined)) {
      const message = `The source \`${id}\` is defined, but no entry names it; a use was expected.`;
      if (!used.has(id)) report(list, [id], "LB115", message, { key: true });
    }
  }
}

function checkExtends({ schemes }: LabelEntries, report: Report): void {
  const known = new Map(schemes.map(({ value }) => [value.scheme, value]));
  for (const entry of schemes) {
    const name = entry.value.extends;
    const base = name === undefined ? undefined : known.get(name);
    if (name === undefined || (base !== undefined && base.extends === undefined)) continue;
    const there = base === undefined ? "is not defined" : "itself extends another";
    const message = `The scheme \`${name}\` ${there}; a scheme that stands alone was expected.`;
    report(entry, ["extends"], "LB116", message);
  }
}

function checkAccounts({ schemes, accounts }: LabelEntries, report: Report): void {
  const named = new Set(schemes.flatMap(({ value }) => Object.values(value.names)));
  for (const entry of accounts)
    for (const [i, chain] of entry.value.chains.entries()) {
      const message = `The chain \`${chain}\` is in no scheme; a name that one of them tells was expected.`;
      if (!named.has(chain)) report(entry, ["chains", i], "LB117", message);
    }
}

/** LB110 and LB111. Entries that differ only in sources have the same facts. */
function checkDuplicates(entries: LabelEntries, report: Report): void {
  const { tokens, names, roles, schemes, proxies, feeds, upgrades, precompiles } = entries;
  findRepeats(tokens, (token) => token.address.toLowerCase(), ["address"], report);
  findRepeats(names, (name) => name.address.toLowerCase(), ["address"], report);
  findRepeats(roles, ({ role }) => role, ["role"], report);
  findRepeats(proxies, ({ kind, code, slot, asks }) => code ?? slot ?? asks ?? kind, ["kind"], report);
  findRepeats(feeds, ({ token }) => token.toLowerCase(), ["token"], report);
  findRepeats(upgrades, ({ name }) => name, ["name"], report);
  findRepeats(precompiles, ({ address }) => address.toLowerCase(), ["address"], report);
  // A scheme's name is the key of its entry.
  findRepeats(schemes, ({ scheme }) => scheme, [], report);
}

function findRepeats<T extends { source: string | string[] }>(
  entries: readonly Located<T>[],
  keyOf: (value: T) => string,
  within: DocumentPath,
  report: Report,
): void {
  const key = within.length === 0;
  for (const [name, [first, ...later]] of groupBy(entries, keyOf))
    for (const entry of later) {
      const same = factsOf(first.value) === factsOf(entry.value);
      const message = `\`${name}\` is listed twice with ${same ? "the same" : "different"} facts; once was expected.`;
      const related = [relatedOf(first, within, "The first one.", key)];
      report(entry, within, same ? "LB111" : "LB110", message, { related, key });
    }
}

/** LB112 and LB113: imitations are recognized by symbol, so a well-known one belongs to one token in any letter case. */
function checkSymbols({ tokens }: LabelEntries, report: Report): void {
  for (const [, group] of groupBy(tokens, (token) => token.symbol.toLowerCase())) {
    const owner = group.find((entry) => entry.value.well_known);
    if (owner === undefined) continue;
    for (const entry of group) {
      const { address, symbol, well_known: known } = entry.value;
      if (address.toLowerCase() === owner.value.address.toLowerCase()) continue;
      const message = `The symbol \`${symbol}\` belongs to the well-known token ${owner.value.address}; another symbol was expected.`;
      const related = [relatedOf(owner, ["symbol"], "The well-known one.")];
      report(entry, ["symbol"], known ? "LB112" : "LB113", message, { related });
    }
  }
}

function relatedOf({ document, path }: Located<unknown>, within: DocumentPath, message: string, key = false) {
  return { file: document.file, range: document.rangeOf([...path, ...within], { key }), message };
}

/** Keeps the order of files and lines, so that "the first" is the same in any order of reading. */
function groupBy<T>(
  entries: readonly Located<T>[],
  keyOf: (value: T) => string,
): Map<string, [Located<T>, ...Located<T>[]]> {
  const groups = Map.groupBy(entries, ({ value }) => keyOf(value));
  // Nearly all groups have one entry. Entries of one file are in order already.
  for (const group of groups.values())
    if (group.length > 1) group.sort((a, b) => compareText(a.document.file, b.document.file));
  return groups as Map<string, [Located<T>, ...Located<T>[]]>;
}

function factsOf(value: { source: string | string[] }): string {
  return canonicalJson({ ...value, source: "" });
}

/** Currency signs that look like no Latin letter. */
const admitted = new Set(["₮", "€"]);

/** Markup or templates in Markdown, HTML or our summaries. */
const markup = new Set(["<", ">", "`", "{", "}", "[", "]", "|", "\\"]);

interface TextProblem {
  /** UTF-16. */
  index: number;
  length: number;
  /** The end of a sentence. */
  message: string;
}

/**
 * The first reason why a label may not be shown: blank, longer than `charsMax`, stray spaces, or a character beyond printable ASCII without
 * markup and a short list.
 */
export function findTextProblem(text: string, charsMax: number): TextProblem | undefined {
  if (text.trim() === "") return { index: 0, length: text.length, message: "it is blank; text was expected" };
  let index = 0;
  for (const character of text) {
    const message = describe(character);
    if (message !== undefined) return { index, length: character.length, message };
    index += character.length;
  }
  if (text.startsWith(" ")) return { index: 0, length: 1, message: "it starts with a space; none was expected" };
  const double = text.indexOf("  ");
  if (double !== -1) return { index: double + 1, length: 1, message: "it has two spaces in a row; one was expected" };
  if (text.endsWith(" "))
    return { index: text.length - 1, length: 1, message: "it ends with a space; none was expected" };
  if (text.length <= charsMax) return undefined;
  const message = `it has ${text.length} characters; at most ${charsMax} were expected`;
  return { index: charsMax, length: text.length - charsMax, message };
}

function describe(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) {
    return markup.has(character) ? `it holds the markup character \`${character}\`; none was expected` : undefined;
  }
  if (admitted.has(character)) return undefined;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (/\p{Cc}/u.test(character)) return `it holds the control character ${name}; printable ASCII was expected`;
  if (/\p{Cf}|\p{Zl}|\p{Zp}/u.test(character))
    return `it holds the invisible character ${name}; printable ASCII was expected`;
  return `it holds ${name}, which can be mistaken for another character; printable ASCII was expected`;
}
