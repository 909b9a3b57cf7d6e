import { unlimitedThreshold } from "../../../kernel/amount.ts";
import { approvalForAllTopic, approvalTopic } from "../../../kernel/token-standards.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Decision } from "../../../model/decision.ts";
import type { Explanation } from "../../../model/explanation.ts";

export interface DecidedRun {
  file: CaseFile;
  decision: Decision;
}

/**
 * Differ for the sender or subject: only one reverted, or other assets, amounts or rights. A thousandth is allowed: interest over two
 * seconds.
 */
export function endsDiffer(one: DecidedRun, other: DecidedRun): boolean {
  if (one.decision.explanation.status !== other.decision.explanation.status) return true;
  const accounts = new Set([...accountsOf(one), ...accountsOf(other)]);
  const [flows, otherFlows] = [
    flowsOf(one.decision.explanation, accounts),
    flowsOf(other.decision.explanation, accounts),
  ];
  for (const key of new Set([...flows.keys(), ...otherFlows.keys()]))
    if (!isNear(flows.get(key) ?? 0, otherFlows.get(key) ?? 0)) return true;
  const [rights, otherRights] = [rightsOf(one.file, accounts), rightsOf(other.file, accounts)];
  return rights.size !== otherRights.size || [...rights].some((right) => !otherRights.has(right));
}

function accountsOf({ file, decision }: DecidedRun): string[] {
  return [file.transaction.from.toLowerCase(), decision.evidence().subject];
}

/** By account and asset; positive: received. */
function flowsOf({ assets_moved }: Explanation, accounts: ReadonlySet<string>): Map<string, number> {
  const flows = new Map<string, number>();
  const add = (account: string, asset: string, amount: number): void => {
    const key = `${account} ${asset}`;
    if (accounts.has(account)) flows.set(key, (flows.get(key) ?? 0) + amount);
  };
  for (const { token_address, token_id = "", amount, from, to } of assets_moved) {
    const asset = `${token_address} ${token_id}`;
    add(from.toLowerCase(), asset, -Number(amount));
    add(to.toLowerCase(), asset, Number(amount));
  }
  return flows;
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) / 1000;
}

/** At the end of the logs; size: nothing, something, everything. */
function rightsOf({ receipt }: CaseFile, accounts: ReadonlySet<string>): Set<string> {
  const last = new Map<string, string>();
  for (const { address, topics, data } of receipt.logs) {
    const [topic, owner = "", ...rest] = topics.map((one) => one.toLowerCase());
    if (topic !== approvalTopic && topic !== approvalForAllTopic) continue;
    if (!accounts.has(`0x${owner.slice(26)}`)) continue;
    const amount = /^0x[0-9a-fA-F]{64}$/.test(data) ? BigInt(data) : 0n;
    const much = amount === 0n ? "nothing" : amount < unlimitedThreshold ? "something" : "everything";
    last.set([address.toLowerCase(), topic, owner, ...rest].join(" "), much);
  }
  return new Set([...last].map(([key, much]) => `${key} ${much}`));
}
