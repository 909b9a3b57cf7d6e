import type { CaseFile } from "../../../src/model/case-file.ts";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { buildCase } from "../../../src/tools/lint/examples/given.ts";
import { GivenNames } from "../../../src/tools/lint/examples/given-names.ts";
import { GivenError } from "../../../src/tools/lint/examples/given-values.ts";
import { isUsable } from "../../../src/tools/lint/rule-view.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTables } from "../../support/shipped-tables.ts";

const text = `protocol: market
name: Market
kind: protocol
source: ex/book@0123456:A.md
contracts:
  pool:
    Market pool: ["0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E"]
  factory: { Market factory: "0x420DD381b31aEf6683db6B902084cB0FFECe40Da" }
members:
  listed: { registry: { contract: factory, read: isPool } }
  own: { registry: { contract: factory, read: poolOf, expect: self } }
  derived: { create2: { deployer: factory, init_code_hash: "0x${"12".repeat(32)}", reads: [token0, fee], encoding: packed } }
  padded: { create2: { deployer: factory, init_code_hash: "0x${"12".repeat(32)}", reads: [token0, fee], encoding: abi } }
  fresh: { created: { contract: factory, event: Created, argument: pool } }
abi:
  isPool: "function isPool(address pool) view returns (bool)"
  poolOf: "function poolOf(address pool) view returns (address)"
  token0: "function token0() view returns (address)"
  fee: "function fee() view returns (uint24)"
  Created: "event Created(address indexed owner, address pool, uint256[] parts, uint8[2] pair, bytes4 tag, string note, (bool on, bytes data) more)"
  Paid: "event Paid(address indexed user, uint256 amount, string indexed topic, bytes path)"
  Packed: "event Packed(bytes indexed body, bytes32 indexed key, string note)"
  Held: "event Held(address args, uint8 count)"
  pay: "function pay(int8 small, uint8 tiny, bytes32 word, bytes20 party, bytes19 short, bool on, string note, uint8[2] pair, bytes data, address who)"
  run: "function run(uint256 size)"
`;
const { files, diagnostics } = compileSources([...shippedTables, { file: "rules/market.yaml", text }]);
const [file] = files.filter(isUsable);
const labels = shippedLabels();

/** The case of an example of a file with contracts, members of each proof, events and functions. */
export function build(given: Record<string, unknown>): CaseFile {
  if (file === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const names = new GivenNames(file.scope, (protocol) => (protocol === "market" ? file.scope : undefined), labels);
  return buildCase(given, names);
}

/** What is said of an example that cannot be built. */
export function refusalOf(given: Record<string, unknown>) {
  try {
    build(given);
    return "it can be built";
  } catch (error) {
    if (!(error instanceof GivenError)) throw error;
    const { at, message, suggestion, key } = error;
    return { at, message, suggestion, key };
  }
}
