import { parse } from "yaml";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { LoadedRuleset } from "../../../src/rules/ruleset/compile-documents.ts";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import type { RuleSource } from "../../../src/rules/ruleset/rule-cache.ts";
import { shippedTables } from "../../support/shipped-tables.ts";

/** The shipped tables, parsed once. They are compiled together with each text. */
const tables = shippedTables.map((table): RuleSource => ({ ...table, value: parse(table.text) as unknown }));

/** Compiles rule files, which exist only in a test, together with the shipped action table. Keys are file names without `.yaml`. */
export function compileTexts(files: Record<string, string>): LoadedRuleset {
  const sources = Object.entries(files).map(([stem, text]): RuleSource => ({ file: `rules/${stem}.yaml`, text }));
  return compileSources([...tables, ...sources]);
}

/** A protocol file `market` with two contracts, a member and ABI items; `rest` is appended. */
export function marketFile(rest: string, kind: "protocol" | "standard" = "protocol"): string {
  return `protocol: market
name: Market
kind: ${kind}
contracts:
  pool:
    The Pool: { at: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", source: example book }
    Market pool: { at: "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E", source: example book }
  factory: { source: example book, Market factory: "0x420DD381b31aEf6683db6B902084cB0FFECe40Da" }
members:
  made: { registry: { contract: factory, read: isPool } }
abi:
  isPool: "function isPool(address pool) view returns (bool)"
  Moved: "event Moved(address indexed from, address indexed to, uint256 amount)"
  move: "function move(uint256 amount)"
  push: "function push(address to, bytes data)"
  Denied: "error Denied(address who)"
${rest}`;
}

/** The rule of a market file; `rule` follows its id and its sentence. */
export function compileRule(rule: string, kind: "protocol" | "standard" = "protocol") {
  const { ruleset, diagnostics } = compileTexts({
    market: marketFile(`rules:\n  - { id: a, say: "do it", ${rule} }\n`, kind),
  });
  return { rules: ruleset.rules, found: diagnostics.map((one) => `${placeOf(one)}: ${one.message}`) };
}

/** `code line:column-line:column` of a diagnostic, with its suggestion. */
export function placeOf({ code, range: { start, end }, suggest }: Diagnostic): string {
  return `${code} ${start.line}:${start.column}-${end.line}:${end.column}${suggest === undefined ? "" : ` ${suggest}`}`;
}
