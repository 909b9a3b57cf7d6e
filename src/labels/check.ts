import type { DocumentPath } from "../documents/document.ts";
import { checksum, readAddress } from "../kernel/address.ts";
import { canonicalJson } from "../kernel/canonical.ts";
import { limits } from "../kernel/limits.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { report } from "./code.ts";
import type { LabelEntries, Located } from "./entry.ts";
import { findTextProblem } from "./text.ts";

/** Longest label of an address and name of a chain: both stand in sentences. */
const labelCharsMax = 48;

/**
 * What the schema cannot say about the label files as a set: checksums, text that may be shown, sources, duplicates,
 * symbols (LB108 to LB116). In file and line order, whatever order the entries have.
 */
export function checkEntries(entries: LabelEntries): Diagnostic[] {
  const diagnostics = [
    ...checkAddresses(entries),
    ...checkTexts(entries),
    ...checkSources(entries),
    ...checkExtends(entries),
    ...checkDuplicates(entries),
    ...checkDecimals(entries),
    ...checkSymbols(entries),
  ];
  return sortDiagnostics(diagnostics);
}

/** File, line, column, code: the order in which a reader wants them. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compareText(a.file, b.file) ||
      a.range.start.line - b.range.start.line ||
      a.range.start.column - b.range.start.column ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
}

function checkAddresses(entries: LabelEntries): Diagnostic[] {
  const single = [...entries.tokens, ...entries.names].map((entry) => place(entry, ["address"], entry.value.address));
  const listed = entries.roles.flatMap((entry) =>
    entry.value.addresses.map((address, index) => place(entry, ["addresses", index], address)),
  );
  return [...single, ...listed].flatMap(({ document, path, value }) => {
    const address = readAddress(value);
    const right = address === undefined ? undefined : checksum(address);
    if (right === undefined || right === value) return [];
    const message = `The address \`${value}\` is not in EIP-55 form; \`${right}\` was expected.`;
    return [report("LB108", document.file, document.rangeOf(path), { message, suggest: right })];
  });
}

/** A token has one number of decimals, and one that `tokens` lists needs none here. */
function checkDecimals(entries: LabelEntries): Diagnostic[] {
  const known = new Set(entries.tokens.map(({ value }) => value.address.toLowerCase()));
  return entries.decimals.flatMap(({ document, path, value }) =>
    value.tokens.flatMap((address, index) => {
      if (!known.has(address.toLowerCase())) {
        known.add(address.toLowerCase());
        return [];
      }
      const range = document.rangeOf([...path, "tokens", index]);
      return [report("LB110", document.file, range, { message: `The token \`${address}\` is listed twice.` })];
    }),
  );
}

function checkTexts(entries: LabelEntries): Diagnostic[] {
  const texts = [
    ...entries.tokens.flatMap((entry) => [
      { ...place(entry, ["symbol"], entry.value.symbol), max: limits.symbolCharsMax },
      { ...place(entry, ["name"], entry.value.name), max: limits.nameCharsMax },
    ]),
    ...entries.names.map((entry) => ({ ...place(entry, ["label"], entry.value.label), max: labelCharsMax })),
    ...entries.schemes.flatMap((entry) =>
      Object.entries(entry.value.names).map(([id, name]) => ({
        ...place(entry, ["names", id], name),
        max: labelCharsMax,
      })),
    ),
  ];
  return texts.flatMap(({ document, path, value, max }) => {
    const problem = findTextProblem(value, max);
    if (problem === undefined) return [];
    const range = document.rangeOf(path, { inside: { offset: problem.index, length: problem.length } });
    return [report("LB109", document.file, range, { message: `This text may not be shown: ${problem.message}.` })];
  });
}

function checkSources(entries: LabelEntries): Diagnostic[] {
  const { tokens, names, roles, schemes, decimals, proxies } = entries;
  const all = [...tokens, ...names, ...roles, ...schemes, ...decimals, ...proxies];
  return entries.sources.flatMap(({ document, path, value: { defined, used } }) => {
    const missing = all
      .filter((entry) => entry.document === document && !defined.includes(entry.value.source))
      .map((entry) => {
        const message = `The source \`${entry.value.source}\` is not defined; one of ${defined.join(", ")} was expected.`;
        return report("LB114", document.file, document.rangeOf([...entry.path, "source"]), { message });
      });
    const unused = defined
      .filter((id) => !used.has(id))
      .map((id) => {
        const message = `The source \`${id}\` is defined, but no entry names it; a use was expected.`;
        return report("LB115", document.file, document.rangeOf([...path, id], { key: true }), { message });
      });
    return [...missing, ...unused];
  });
}

function checkExtends(entries: LabelEntries): Diagnostic[] {
  const schemes = new Map(entries.schemes.map((entry) => [entry.value.scheme, entry.value]));
  return entries.schemes.flatMap((entry) => {
    const name = entry.value.extends;
    const base = name === undefined ? undefined : schemes.get(name);
    if (name === undefined || (base !== undefined && base.extends === undefined)) return [];
    const there = base === undefined ? "is not defined" : "itself extends another";
    const message = `The scheme \`${name}\` ${there}; a scheme that stands alone was expected.`;
    return [report("LB116", entry.document.file, entry.document.rangeOf([...entry.path, "extends"]), { message })];
  });
}

/** LB110 and LB111: one address, role, scheme or form of a proxy in two places. Sources are no facts. */
function checkDuplicates(entries: LabelEntries): Diagnostic[] {
  return [
    ...findRepeats(entries.tokens, (token) => token.address.toLowerCase(), "address"),
    ...findRepeats(entries.names, (name) => name.address.toLowerCase(), "address"),
    ...findRepeats(entries.roles, (role) => role.role, "role"),
    ...findRepeats(entries.schemes, (scheme) => scheme.scheme, undefined),
    ...findRepeats(entries.proxies, ({ kind, code, slot, asks }) => code ?? slot ?? asks ?? kind, "kind"),
  ];
}

function findRepeats<T extends { source: string }>(
  entries: readonly Located<T>[],
  keyOf: (value: T) => string,
  field: string | undefined,
): Diagnostic[] {
  const rangeOf = (entry: Located<T>) =>
    field === undefined
      ? entry.document.rangeOf(entry.path, { key: true })
      : entry.document.rangeOf([...entry.path, field]);
  return groupBy(entries, keyOf).flatMap(([key, [first, ...later]]) =>
    later.map((entry) => {
      const same = factsOf(first.value) === factsOf(entry.value);
      const message = `\`${key}\` is listed twice with ${same ? "the same" : "different"} facts; once was expected.`;
      const related = [{ file: first.document.file, range: rangeOf(first), message: "The first one." }];
      return report(same ? "LB111" : "LB110", entry.document.file, rangeOf(entry), { message, related });
    }),
  );
}

/** LB112 and LB113: impersonation is told by symbol, so a well-known symbol belongs to one token. Case does not tell apart. */
function checkSymbols(entries: LabelEntries): Diagnostic[] {
  return groupBy(entries.tokens, (token) => token.symbol.toLowerCase()).flatMap(([, group]) => {
    const owner = group.find((entry) => entry.value.well_known);
    if (owner === undefined) return [];
    const rivals = group.filter((entry) => entry.value.address.toLowerCase() !== owner.value.address.toLowerCase());
    return rivals.map((entry) => {
      const code = entry.value.well_known ? "LB112" : "LB113";
      const message = `The symbol \`${entry.value.symbol}\` belongs to the well-known token ${owner.value.address}; another symbol was expected.`;
      const range = owner.document.rangeOf([...owner.path, "symbol"]);
      const related = [{ file: owner.document.file, range, message: "The well-known one." }];
      return report(code, entry.document.file, entry.document.rangeOf([...entry.path, "symbol"]), {
        message,
        related,
      });
    });
  });
}

/** Groups that keep file and line order inside, so that "the first" is the same whatever order the files came in. */
function groupBy<T>(
  entries: readonly Located<T>[],
  keyOf: (value: T) => string,
): [string, [Located<T>, ...Located<T>[]]][] {
  const groups = new Map<string, [Located<T>, ...Located<T>[]]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry.value));
    if (group === undefined) groups.set(keyOf(entry.value), [entry]);
    else group.push(entry);
  }
  for (const group of groups.values()) if (group.length > 1) group.sort(compareEntries);
  return [...groups];
}

/** By file, then by place in its list; schemes are keys, and one file has a key once. */
function compareEntries(a: Located<unknown>, b: Located<unknown>): number {
  return compareText(a.document.file, b.document.file) || Number(a.path.at(-1)) - Number(b.path.at(-1)) || 0;
}

function factsOf(value: { source: string }): string {
  return canonicalJson({ ...value, source: "" });
}

function place(entry: Located<unknown>, within: DocumentPath, value: string): Located<string> {
  return { document: entry.document, path: [...entry.path, ...within], value };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
