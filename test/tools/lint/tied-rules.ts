import { lintTexts } from "./lint-text.ts";

const pool = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";
const other = "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E";

/** A file with two contracts, a member and ABI items; its rules follow. */
export function file(protocol: string, rules: string, kind = "protocol"): string {
  return `protocol: ${protocol}
name: ${protocol.toUpperCase()}
kind: ${kind}
site: https://example.org
contracts:
  pool: { source: ex/book@0123456:A.md, Pool: "${pool}" }
  other: { source: ex/book@0123456:A.md, Other: "${other}" }
members:
  made: { registry: { contract: pool, read: isPool } }
abi:
  isPool: "function isPool(address pool) view returns (bool)"
  Moved: "event Moved(address indexed from, address indexed to, uint256 amount, bool up, bytes memo)"
  MovedIndexed: "event Moved(address indexed from, address indexed to, uint256 indexed amount, bool up, bytes memo)"
  move: "function move(uint256 amount)"
  push: "function push(uint256 amount)"
rules:
${rules}`;
}

/** A rule. `lending_supply` and `lending_withdraw` have the same place in their tier. */
export function rule(id: string, body: string, action = "lending_supply"): string {
  return `  - { id: ${id}, action: ${action}, say: "move something", ${body} }\n`;
}

/** Codes of what the set says about two rules of one file. */
export function codesOf(
  one: string,
  two: string,
  actions: [string, string] = ["lending_supply", "lending_withdraw"],
): string[] {
  const text = file("market", rule("a", one, actions[0]) + rule("b", two, actions[1]));
  return [...new Set(lintTexts({ market: text }).map((found) => found.code))].filter((code) => /^RL7/.test(code));
}

export const event = "anchor: { event: Moved }, at: pool, subject: from";
