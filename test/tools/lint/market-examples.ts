import { expect } from "vitest";
import { lintTexts, placeOf } from "./lint-text.ts";

/** A file with a contract, members of each proof, events and functions; its rules follow. */
export const head = `protocol: market
name: Market
kind: protocol
site: https://example.org
contracts:
  pool:
    source: ex/book@0123456:A.md
    Market pool: ["0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E"]
  factory:
    source: ex/book@0123456:A.md
    Market factory: "0x420DD381b31aEf6683db6B902084cB0FFECe40Da"
members:
  listed: { registry: { contract: factory, read: isPool } }
  own: { registry: { contract: factory, read: poolOf, expect: self } }
  derived: { create2: { deployer: factory, init_code_hash: "0x${"12".repeat(32)}", reads: [token0, fee], encoding: packed } }
  fresh: { created: { contract: factory, event: Created, argument: pool } }
abi_source: ex/contracts@0123456:Pool.sol
abi:
  isPool: "function isPool(address pool) view returns (bool)"
  poolOf: "function poolOf(address pool) view returns (address)"
  token0: "function token0() view returns (address)"
  fee: "function fee() view returns (uint24)"
  Created: "event Created(address indexed owner, address pool)"
  Paid: "event Paid(address indexed user, uint256 amount, string indexed topic, bytes path)"
  pay: "function pay(address user, uint256 amount, uint256[] parts, (bytes32 key, bool last) extra)"
  run: "function run(bytes data)"
rules:
`;

export const paid = `  - id: paid
    action: payment
    anchor: { event: Paid }
    at: [pool, listed, own, derived, fresh]
    subject: user
    say: "pay through {protocol}"
    tried: pay
`;

/** An example that no rule stands for. */
export const negative = `  - name: nothing
    given: {}
    not: paid
`;

/** The findings for a file with these examples, and the text of the file. */
export function run(examples: string, rules = paid) {
  const text = `${head}${rules}examples:\n${examples}${negative}`;
  return { text, found: lintTexts({ market: text }).filter((one) => !/^RL(?:506|601|611|70\d)$/.test(one.code)) };
}

/** Examples that must come out as they say. */
export function expectFine(examples: string, rules?: string): void {
  expect(run(examples, rules).found.map((one) => `${placeOf(one)} ${one.message}`)).toEqual([]);
}
