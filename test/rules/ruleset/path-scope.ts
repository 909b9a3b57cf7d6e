import { toAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { EventItem, FunctionItem } from "../../../src/rules/abi/signature.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import type { PathSource } from "../../../src/rules/ruleset/compile/paths/fixed-paths.ts";
import type { PathScope } from "../../../src/rules/ruleset/compile/paths/path.ts";

export const event = parseSignature(
  "event E(address indexed who, uint256 amount, (address token, uint256[] parts)[] orders, bytes32 word, bytes data, uint256 packed)",
) as EventItem;
const functions = {
  send: "function send(address to, (bytes32 owner, uint64 size) order)",
  keep: "function keep(bytes32 owner, bytes inner)",
  plan: "step plan(address to, bytes[] parts)",
  paid: "event Paid(address owner)",
};
export const items = Object.entries(functions).map(([name, text]) => [name, parseSignature(text)] as const);
const call = parseSignature("function f(string note)") as FunctionItem;
export const pool = toAddress(`0x${"ab".repeat(20)}`);
export const bob = toAddress(`0x${"b0".repeat(20)}`);
/** An event beside a call, with a leg and a contract role. */
export const scope: PathScope = {
  args: event.inputs,
  input: call.inputs,
  item: null,
  legs: ["paid"],
  anchor: "event",
  contracts: new Map([["pool", [pool]]]),
  abi: new Map([["E", event], ...items]),
  count: { kind: "any" },
};
export const log = { index: 0, address: pool, topics: [event.hash, "0x"] as Hex[], data: "0x" as Hex, call: -1 };
const move = { token: null, tokenId: null, amount: 7n, from: pool, to: bob };
/** What the paths of that scope are read of. */
export const source = {
  args: [
    bob,
    5n,
    [
      [pool, [1n, 2n]],
      [bob, []],
    ],
    `0x${"00".repeat(12)}${bob.slice(2)}`,
    `0x0102${pool.slice(2)}ff`,
    BigInt(bob),
  ],
  input: ["hi"],
  log,
  call: { from: bob, to: pool, value: 3n, input: "0x010203040506" },
  move: null,
  legs: [move],
  target: pool,
  subject: bob,
  tx: {
    from: bob,
    to: pool,
    value: 1n,
    type: "eip1559",
    input: "0xaa",
    depositMint: 0n,
    traced: true,
    created: null,
    ranCode: true,
    creates: false,
    logs: [log],
    movements: [],
    authorizations: [{ authority: pool, delegate: pool }],
  },
  flow: {
    recipients: [pool],
    senders: [],
    gives: [{ token: pool, amount: 9n, tokenId: 4n }],
    gets: [{ token: null, amount: 2n, tokenId: null }],
    minted: false,
    burned: true,
    complete: true,
  },
  logsWith: () => [log, { ...log, topics: [event.hash] }],
  admits: () => true,
} as unknown as PathSource;
