import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decide } from "../../src/engine/spine.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Decision } from "../../src/model/decision.ts";
import { loadLabels } from "../../src/rules/labels/load.ts";
import { loadRuleset } from "../../src/rules/ruleset/load.ts";
import { exampleCases } from "../../src/tools/lint/examples/examples.ts";
import { isUsable } from "../../src/tools/lint/rule-view.ts";
import { root } from "../support/shared.ts";
import { gasPaid, paidTokens, type Wrapping, wrapCase } from "./wrapped-case.ts";

const { ruleset, files } = loadRuleset(join(root, "rules"));
const { labels } = loadLabels(join(root, "labels"), ruleset.names);
const usable = files.filter(isUsable);
const scopes = new Map(usable.map((file) => [file.document.protocol, file.scope]));
const world = {
  ruleset,
  labels,
  recordingsDir: join(root, "test/transactions"),
  scopes: (id: string) => scopes.get(id),
};

/** Examples whose summary differs inside envelopes, each with the reason why that is right. All other examples must read the same. */
const accepted: Record<string, string> = {
  "flow/ether-transfer-tagged": "only the gas of a transaction of its own shows that no code ran",
  "flow/message": "only the gas of a transaction of its own shows that no code ran",
  "flow/cancelled-nonce": "only a transaction of its own uses up a nonce and does nothing else",
  "balancer-v2/relayed-swap": "its multicall cannot be read: that is said where a known envelope carries it",
  "beefy/withdraw-ether": "without a call tree a listed token that is called directly is taken to move no ether",
  "moonwell/withdraw-ether": "without a call tree a listed token that is called directly is taken to move no ether",
  "fluid/withdraw-ftoken-ether": "without a call tree a listed token that is called directly is taken to move no ether",
};

/** The same for a Safe, whose execution names the contract that it called. What that contract paid itself is not the Safe's money. */
const acceptedOfSafe = "flow/call-paying";

const wrappings: Wrapping[] = [
  { by: "operation v0.6" },
  { by: "operation v0.7", gasInToken: true },
  { by: "operation v0.7", approves: true },
  { by: "operation v0.7", airdrop: true },
  { by: "Safe" },
  { by: "MultiSend", approves: true },
  { by: "delegation" },
  { by: "delegation", approves: true },
];

interface Act {
  rule: string;
  name: string;
  plain: CaseFile;
}

const acts = usable.flatMap((file) =>
  exampleCases(file, world).flatMap(({ example, caseFile }): Act[] => {
    const rule = `${file.document.protocol}/${example.rule}`;
    const positive = example.rule !== undefined && example.given !== undefined && isOwnCall(caseFile);
    return positive ? [{ rule, name: example.name ?? "", plain: caseFile }] : [];
  }),
);

describe.each(["with a call tree", "without a call tree"] as const)("%s", (tree) => {
  const see = (file: CaseFile): CaseFile =>
    tree === "with a call tree" ? file : { ...file, trace: { source: "none", reason: "left out" } };

  it.each(wrappings.map((wrapping) => ({ wrapping, title: titleOf(wrapping) })))(
    "every act is told the same way $title",
    ({ wrapping }) => {
      const { airdrop, approves } = wrapping;
      const run = (file: CaseFile) => decide(see(file), ruleset, labels);
      const differing = acts.flatMap(({ rule, name, plain }) => {
        if (rule in accepted || (approves && paidTokens(plain).length === 0)) return [];
        if (rule === acceptedOfSafe && wrapping.by === "Safe") return [];
        const own = told(run(wrapCase(plain, { by: "itself", ...(airdrop && { airdrop }) })));
        const wrapped = told(run(wrapCase(plain, wrapping)), wrapping);
        return isSame(own, wrapped, wrapping) ? [] : [{ rule, name, own, wrapped }];
      });
      expect(acts.length).toBeGreaterThan(1000);
      expect(differing).toEqual([]);
    },
  );
});

describe("an accepted difference", () => {
  const envelopes = Object.keys(accepted).map((rule): [string, Wrapping] => [rule, { by: "operation v0.6" }]);
  it.each([...envelopes, [acceptedOfSafe, { by: "Safe" }] as const])("is still there: %s", (rule, wrapping) => {
    const plain = acts.find((act) => act.rule === rule)?.plain as CaseFile;
    const none = { source: "none" as const, reason: "left out" };
    const own = wrapCase(plain, { by: "itself" });
    const wrapped = wrapCase(plain, wrapping);
    const same = [none, undefined].map((trace) => {
      const [one, other] = [own, wrapped].map((file) =>
        told(decide({ ...file, ...(trace && { trace }) }, ruleset, labels)),
      );
      return one?.type === other?.type && one?.summary === other?.summary;
    });
    expect(same).toContain(false);
  });
});

type Told = ReturnType<typeof told>;

/** The summary, and the number of actions. Allowances that only the wrapping adds are not counted. */
function told({ explanation, evidence }: Decision, { approves }: Partial<Wrapping> = {}) {
  const { actions, subject, unexplained } = evidence();
  const rules = actions.map(({ rule }) => rule).filter((rule) => !(approves && rule === "erc20/approve"));
  return {
    type: explanation.action_type,
    headline: explanation.summary.split(/\. (?=[A-Z0-9])/)[0]?.replace(/\.$/, "") ?? "",
    summary: explanation.summary,
    rules,
    subject,
    unexplained: unexplained.map(({ token, amount }) => `${amount} of ${token}`),
  };
}

function isSame(own: Told, wrapped: Told, { by, gasInToken, approves }: Wrapping): boolean {
  if (own.subject !== wrapped.subject) return false;
  if (gasInToken && !wrapped.summary.includes(`paid ${gasPaid} for gas`)) return false;
  const same = own.type === wrapped.type && own.headline === wrapped.headline;
  const rest = own.rules.length === wrapped.rules.length && `${own.unexplained}` === `${wrapped.unexplained}`;
  if (same && rest && (approves || gasInToken || sentenceOf(own) === sentenceOf(wrapped))) return true;
  return (by === "Safe" || by === "MultiSend") && isToldOfSafe(own, wrapped);
}

/**
 * The summary without its last sentence, about ether that could not be seen or a call whose purpose is not known: how much of the ether is
 * visible in calldata depends on the envelope, and so does how much else happened.
 */
function sentenceOf({ summary }: Told): string {
  return summary.replace(
    / (?:(?:The ether sent is what the calldata says; other e|E)ther moved inside [^.]* traced|What the call was for is not known[^.]*)\.$/,
    "",
  );
}

/** An act without an action type of its own is told as the Safe's execution, or as a part of it or after it. Fees stand with the headline. */
function isToldOfSafe(own: Told, wrapped: Told): boolean {
  const predicate = own.headline.replace(/^\S+ (?:\([^)]*\) )?/, "").replace(/, paying [^,]* in fees$/, "");
  const types = own.type === "contract_interaction" && wrapped.type === "multisig_execution";
  return types && wrapped.summary.includes(predicate);
}

/** Whether the sender acted for itself with one call that succeeded. Calls that act for others or carry operations do not count. */
function isOwnCall(file: CaseFile): boolean {
  const { transaction, receipt } = file;
  if (receipt.status !== "0x1" || transaction.to === null || transaction.type !== "0x2") return false;
  const { explanation, evidence } = decide(file, ruleset, labels);
  return evidence().subject === transaction.from && explanation.action_type !== "account_abstraction_bundle";
}

function titleOf({ by, approves, gasInToken, airdrop }: Wrapping): string {
  const extras = [approves && "allowances", gasInToken && "gas in USDC", airdrop && "an airdrop"].filter(Boolean);
  return extras.length === 0 ? `by ${by}` : `by ${by} with ${extras.join(" and ")}`;
}
