import { toAddress } from "../../../src/kernel/address.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { people } from "../../../src/tools/lint/examples/given-names.ts";
import type { CaseOutcome } from "../../../src/tools/lint/mutation/case-outcome.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
export const [subject, pool, usdc, weth, dai] = [party("a"), party("b"), party("c"), party("d"), party("e")];
export const word = (text: string) => `0x${text.replace("0x", "").padStart(64, "0")}`;
const tokens = [
  { address: dai, decimals: 18, wellKnown: false },
  { address: weth, decimals: 18, wellKnown: true },
  { address: usdc, decimals: 6, wellKnown: true },
];
/** All tokens but one are well known. Among the accounts, only Bob is. */
export const labels = {
  tokens: () => tokens,
  system: (kind: string) => (kind === "weth" ? [weth] : []),
  name: (address: string) => (address === people.bob ? { label: "Bob" } : undefined),
};
/** The one log of the example. */
export const log = { address: pool, topics: ["0x01", word(subject)], data: "0x" };

export function move(index: number, more: Partial<Movement> = {}): Movement {
  const plain = { standard: "erc20", token: usdc, tokenId: null, amount: 5n, from: subject, to: pool } as const;
  return { index, ...plain, log: index, call: -1, fee: false, basis: "log", ...more };
}

export interface Given {
  status?: string;
  movements?: Movement[];
  rule?: object;
  context?: object;
  logs?: object[];
}

/** An example before it is forged: only the parts that forgeries use. */
export function originalOf({ status = "success", movements = [], rule = {}, context = {}, logs = [log] }: Given = {}) {
  const flow = { complete: true, gives: [], gets: [] };
  return {
    caseFile: {
      tx_hash: "0x12",
      transaction: { to: pool },
      receipt: { status: "0x1", logs },
      tokens: { x: 1 },
      reads: [],
    },
    trial: {
      tx: { status, movements, from: subject },
      subject,
      actions: [{ rule: { id: "a/b" }, context: { subject } }],
    },
    candidate: {
      rule: { id: "a/b", legs: [], flow: null, anchor: { kind: "event" }, ...rule },
      context: { subject, legs: [], move: null, flow, ...context },
    },
    world: { labels },
  } as never;
}

/** What came of a case: only what judges look at. */
export function outcomeOf({
  summary = "",
  partial = false,
  flags = [] as string[],
  violations = [] as string[],
  acts = [] as string[],
  actions = [] as object[],
} = {}) {
  return {
    ...{ summary, violations: () => violations, hasActionOf: (account: string) => acts.includes(account) },
    decision: { explanation: { partial, risk_flags: flags.map((detail) => ({ detail })) } },
    trial: { tx: { from: subject }, actions },
  } as unknown as CaseOutcome;
}
