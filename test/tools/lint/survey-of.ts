import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { AssetChange, BalanceChanges } from "../../../src/model/match.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import type { KnownItem, SeenContract, Survey } from "../../../src/tools/lint/scaffold/survey.ts";

/** Parties and money of transactions that exist only in tests of drafts. */
export const address = (digit: string): Address => toAddress(`0x${digit.repeat(40)}`);
export const [subject, pool, token, zero] = [address("a"), address("b"), address("c"), address("0")] as const;
export const other = address("d");

export function change(kind: AssetChange["kind"], movements: number[] = []): AssetChange {
  return { key: kind, kind, token: kind === "native" ? null : token, tokenId: null, amount: 1n, movements };
}

export function flowOf(gives: AssetChange[], gets: AssetChange[], more: Partial<BalanceChanges> = {}): BalanceChanges {
  const rest = { neutral: [], recipients: [], senders: [], minted: false, burned: false, wraps: false, complete: true };
  return { account: subject, gives, gets, ...rest, ...more };
}

export function move(from: Address, to: Address, amount: bigint, more: Partial<Movement> = {}): Movement {
  const rest = { index: 0, standard: "erc20", tokenId: null, log: 0, call: 0, fee: false, basis: "log" } as const;
  return { ...rest, token, from, to, amount, ...more };
}

export const [erc20, nft, ether] = [change("erc20", [0]), change("nft"), change("native")];
export const nothing = flowOf([], []);
export const gives = flowOf([erc20], []);
export const gets = flowOf([], [erc20]);
export const both = flowOf([erc20], [erc20]);

export function known(signature: string, origin = "rules/x.yaml"): KnownItem {
  const item = parseSignature(signature);
  return { name: item.name, signature, item, origin };
}

export function contractOf(more: Partial<SeenContract> = {}): SeenContract {
  return { role: "desk", address: pool, label: undefined, source: undefined, calls: [], logs: [], ...more };
}

export function called(input: string, item?: KnownItem): SeenContract["calls"][number] {
  const call = { id: 0, parent: -1, via: null, step: null, from: subject, actor: subject, to: pool, value: 0n, input };
  return { call, selector: input.slice(0, 10), known: item } as SeenContract["calls"][number];
}

export function logged(topics: string[], data: string, item?: KnownItem): SeenContract["logs"][number] {
  return { log: { index: 0, address: pool, topics, data, call: 0 }, known: item } as SeenContract["logs"][number];
}

export function surveyOf(contracts: SeenContract[], more: Partial<Survey> = {}): Survey {
  return { subject, flow: gives, movements: [], contracts, stands: [], action: null, ...more };
}

/** A contract that is paid: its event with every kind of field, as it was written, and the call of it. */
export const paid =
  "event Paid(address indexed by, address token, uint256 amount, uint256 unlockTime, string note, bytes data)";
export const paidItem = known(paid);
export const payItem = known("function pay(address to, uint256 amount)");

export const word = (hex: string) => hex.replace("0x", "").padStart(64, "0");
export const note = `${"68c3a9".padEnd(64, "0")}`;
export const paidLog = logged(
  [paidItem.item.hash, `0x${word(subject)}`],
  `0x${word(token)}${word("5")}${word("6b49d200")}${word("a0")}${word("e0")}${word("3")}${note}${word("0")}`,
  paidItem,
);
export const pay = called(`${payItem.item.hash}${word(other)}${word("5")}`, payItem);
