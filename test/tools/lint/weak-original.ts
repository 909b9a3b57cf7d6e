import { join } from "node:path";
import { checksum, toAddress } from "../../../src/kernel/address.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { listCatalog } from "../../../src/rules/ruleset/catalog.ts";
import { knowledgeOf } from "../../../src/tools/audit/known-contracts.ts";
import { exampleCases } from "../../../src/tools/lint/examples/examples.ts";
import { people } from "../../../src/tools/lint/examples/given-names.ts";
import { CaseOutcome } from "../../../src/tools/lint/mutation/case-outcome.ts";
import type { Original } from "../../../src/tools/lint/mutation/mutant.ts";
import { forgers } from "../../../src/tools/lint/mutation/stranger.ts";
import { findSources } from "../../../src/tools/lint/sources.ts";
import { openSources } from "../../../src/tools/lint/world.ts";
import { root } from "../../support/shared.ts";
import { noRecordings } from "./lint-text.ts";

export const pool = toAddress("0xA238Dd80C259a72e81d7e4664a9801593F98d1c5");
export const [alice, bob] = [people.alice as typeof pool, people.bob as typeof pool];
const { front } = forgers;
const text = `protocol: weak
name: Weak
kind: protocol
contracts:
  pool: { source: ex/book@0123456:A.md, Weak pool: "${checksum(pool)}" }
abi:
  Paid: "event Paid(address indexed user, uint256 amount)"
  pay: "function pay(uint256 amount)"
rules:
  - { id: pay, action: payment, anchor: { event: Paid }, at: pool, subject: user, say: "pay on {protocol}" }
  - { id: ask, action: payment, anchor: { call: pay }, at: pool, say: "pay on {protocol}" }
examples:
  - name: a payment
    given:
      from: alice
      to: pool
      call: { pay: { amount: "5" } }
      value: "3"
      logs:
        - transfer: { token: USDC, from: alice, to: pool, amount: "5" }
        - transfer: { token: WETH, from: pool, to: alice, amount: "7" }
        - Paid: { at: pool, user: alice, amount: "5" }
`;
const shipped = findSources([join(root, "rules/standards")]);
const file = "rules/weak.yaml";
const rules = [...shipped.rules.filter((one) => /actions|standards|erc4337/.test(one.file)), { file, text }];
const { wanted, world: opened } = openSources({ ...shipped, rules, wanted: new Set([file]) }, noRecordings);
const { ruleset, labels } = opened;
const { protocols } = listCatalog(ruleset);
export const world = { ...opened, knowledge: knowledgeOf({ labels, contracts: ruleset.names, protocols }) };
const [example] = exampleCases(wanted[0] as never, world);
export const base = example?.caseFile as CaseFile;

export const [usdc, weth] = base.receipt.logs.map((log) => log.address) as [string, string];

/** The example with something else about it; of the logs, those of the given places. */
export function caseOf({ trace = base.trace, transaction = {}, logs = [0, 1, 2] }: Given = {}): CaseFile {
  const chosen = logs.map((i) => base.receipt.logs[i] as (typeof base.receipt.logs)[number]);
  return {
    ...base,
    transaction: { ...base.transaction, ...transaction },
    receipt: { ...base.receipt, logs: chosen },
    trace,
  };
}

export interface Given {
  trace?: CaseFile["trace"];
  transaction?: object;
  logs?: number[];
}

export function originalOf(caseFile: CaseFile = caseOf()): Original {
  const outcome = new CaseOutcome(caseFile, world);
  const { trial } = outcome;
  const candidate = trial.actions.find(({ rule }) => rule.id.startsWith("weak/"));
  return { caseFile, trial, candidate, world, outcome } as Original;
}

export const none = { source: "none" } as CaseFile["trace"];
export const row = { type: "call", from: pool, to: bob, value: "9", success: true };
export const listed = (...internal_transfers: object[]) =>
  ({ source: "internal_transfers", provider: "example", internal_transfers }) as CaseFile["trace"];
const { from, value, input } = base.transaction;
export const call = { type: "CALL", from, to: pool, value, input };
export const tree = (rootFrame: object = call) =>
  ({ source: "debug_traceTransaction", root: rootFrame }) as CaseFile["trace"];
export const [inside, behind] = ["inside", "behind a stranger's contract"];
export const passedOn = { type: "call", from: front, to: pool, value: "3", success: true };
