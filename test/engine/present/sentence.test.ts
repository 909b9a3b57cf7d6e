import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { SentenceWriter } from "../../../src/engine/present/sentence.ts";
import type { SentenceForm } from "../../../src/engine/present/told.ts";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import type { MatchContext } from "../../../src/model/match.ts";
import { parseTemplate, placeholdersOf, verbsOf } from "../../../src/rules/ruleset/compile/template.ts";
import type { CompiledCapture, CompiledRule } from "../../../src/rules/ruleset/compiled.ts";
import { loadRuleset } from "../../../src/rules/ruleset/load.ts";
import type { Ruleset } from "../../../src/rules/ruleset/ruleset.ts";
import { alice, bob, calldata, caseOf, frame, logOf, traced, usdc, vault, zero } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { compileOwn, decideBy } from "../../support/own-rules.ts";
import { root } from "../../support/shared.ts";
import { shippedTeller } from "../../support/wording.ts";

const subject = shorten(alice);
const act = "function act(address to, address token, uint256 amount, uint256 limit, uint8 what, address[] list)";
const did =
  "event Did(address indexed who, address to, address token, uint256 amount, uint256 limit, uint8 what, address[] list)";
const values = { to: bob, token: usdc, amount: 5_000_000n, limit: 2_000_000n, what: 1, list: [usdc, usdc] };
type Values = Partial<Record<keyof typeof values, unknown>>;

function ruleset(capture: string, does: string, attempts = "act"): Ruleset {
  return compileOwn(`protocol: hub
kind: protocol
name: Hub
site: https://example.org
contracts:
  hub: { source: test, The Hub: "${checksum(vault)}" }
abi:
  Did: "${did}"
  act: "${act}"
rules:
  - { id: did, action: claim, anchor: { event: Did }, at: hub, subject: who, ${capture && `values: ${capture}, `}say: "${does}", tried: ${attempts} }`);
}

/** What is told of an event of the hub. */
function past(rules: Ruleset, args: Values = {}): string {
  const receipt = { logs: [logOf(vault, did, { who: alice, ...values, ...args })] };
  const trace: NonNullable<Parameters<typeof caseOf>[0]>["trace"] = {
    source: "internal_transfers",
    provider: "explorer.example",
    internal_transfers: [],
  };
  return decideBy(rules, caseOf({ receipt, trace })).explanation.summary.replace(`${subject} `, "");
}

/** What is told of a call of the hub that reverted. */
function attempt(rules: Ruleset, args: Values = {}): string {
  const transaction = { to: vault, input: calldata(act, Object.values({ ...values, ...args })) };
  const trace = traced(frame(alice, vault, { error: "out of gas" }));
  const { summary } = decideBy(rules, caseOf({ transaction, receipt: { status: "0x0", logs: [] }, trace })).explanation;
  return summary.replace(`${subject} `, "").replace(/, but the transaction reverted\. .*$/, "");
}

const writer = (rules: Ruleset) => {
  const labels = shippedLabels();
  const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
  const teller = shippedTeller();
  return new SentenceWriter(labels, new AssetNames(caseOf({}), labels, policy, teller), { teller, verbs: rules.verbs });
};

/** Nothing moved, nothing was called. */
const nothing = {
  subject: alice,
  target: null,
  log: null,
  call: null,
  flow: { gives: [], gets: [], recipients: [], senders: [], complete: true },
  tx: { movements: [] },
} as unknown as MatchContext;

describe("a sentence has three forms", () => {
  const forms = (does: string): (string | undefined)[] => {
    const rules = ruleset("", "claim it");
    const [rule] = rules.rules as [CompiledRule];
    const write = (form: SentenceForm) =>
      writer(rules).write(parseTemplate(does), { rule, context: nothing, form })?.text;
    return [write("past"), write("attempt"), write("conditional")];
  };

  it.each([
    ["claim rewards", "claimed rewards", "tried to claim rewards", "would claim rewards"],
    ["swap it and <send> it", "swapped it and sent it", "tried to swap it and send it", "would swap it and send it"],
    ["(a Safe) pay back", "(a Safe) paid back", "(a Safe) tried to pay back", "(a Safe) would pay back"],
    ["withdraw", "withdrew", "tried to withdraw", "would withdraw"],
    ["cancel it on {protocol}", "cancelled it on Hub", "tried to cancel it on Hub", "would cancel it on Hub"],
    ["apply[ for {nothing}]", "applied", "tried to apply", "would apply"],
  ])("%s", (does, ...expected) => {
    expect(forms(does)).toEqual(expected);
  });

  it("leaves a clause out if its number is zero or the largest of its type", () => {
    const rules = ruleset("{ count: { integer: amount } }", "do it[ for {count} raw units] on {protocol}");
    expect(past(rules)).toBe("did it for 5,000,000 raw units on Hub.");
    for (const amount of [0n, 2n ** 256n - 1n]) expect(past(rules, { amount })).toBe("did it on Hub.");
    expect(attempt(rules, { amount: 0n })).toBe("tried to do it on Hub");
  });

  it("none of which is told if its verb cannot be inflected", () => {
    expect(forms("visit it")).toEqual([undefined, "tried to visit it", "would visit it"]);
  });
});

describe("a reverted call is told in the words of its act", () => {
  const amount = "x: { amount: amount, of: token }";

  it.each<[string, string, string, string, Values?]>([
    [`{ ${amount} }`, "stake {x} on {protocol}", "staked 5 USDC on Hub.", "tried to stake 5 USDC on Hub"],
    [`{ ${amount} }`, "stake[ {x}]", "staked.", "tried to stake", { amount: 0n }],
    [`{ ${amount} }`, "stake[ {x}| some]", "staked some.", "tried to stake some", { amount: 0n }],
    ["{ y: { address: to } }", "stake[ for {y}]", "staked.", "tried to stake", { to: zero }],
    ["{ y: { other: to } }", "stake[ for {y}]", "staked.", "tried to stake", { to: alice }],
    ["{ y: { other: to } }", "stake[ for {y}]", "staked.", "tried to stake", { to: `0x${"0".repeat(39)}1` }],
    ["{ y: { other: to } }", "stake[ for {y}]", `staked for ${shorten(bob)}.`, `tried to stake for ${shorten(bob)}`],
    ["{ w: { enum: what, values: { '1': lock, '2': buy } } }", "<{w}> it", "locked it.", "tried to lock it"],
    [
      "{ w: { enum: what, values: { '1': lock, '2': buy } } }",
      "<{w}> it",
      "bought it.",
      "tried to buy it",
      { what: 2 },
    ],
    [
      "{ x: [{ amount: amount, of: list.0 }, { amount: limit, of: token }] }",
      "stake {x}",
      "staked 5 USDC and 2 USDC.",
      "tried to stake 5 USDC and 2 USDC",
    ],
    [
      "{ x: [{ amount: amount, of: list.0 }, { amount: limit, of: token }] }",
      "stake {x}",
      "staked 5 USDC.",
      "tried to stake 5 USDC",
      { limit: 0n },
    ],
  ])("%s in %s", (capture, does, told, tried, args = {}) => {
    const rules = ruleset(capture, does);
    expect([past(rules, args), attempt(rules, args)]).toEqual([told, tried]);
  });

  const bounds = (limit: string) =>
    ruleset(`{ ${amount} }`, "claim {x}", `[{ call: act, values: { x: { ${limit}: limit, of: token } } }]`);

  it.each<[string, bigint, string]>([
    ["at_least", 2_000_000n, "tried to claim at least 2 USDC"],
    ["at_most", 2_000_000n, "tried to claim at most 2 USDC"],
    ["at_least", 0n, "tried to claim USDC"],
    ["at_least", 2n ** 256n - 1n, "tried to claim USDC"],
    ["at_most", 2n ** 256n - 1n, "tried to claim USDC"],
  ])("with a bound: %s %s", (least, limit, told) => {
    expect(attempt(bounds(least), { limit })).toBe(told);
  });

  it("and a bound of at most nothing is told in the action's own words", () => {
    const words = ruleset("", "claim").actions.get("claim")?.does.text;
    expect(attempt(bounds("at_most"), { limit: 0n })).toBe(`tried to ${words} on Hub`);
  });
});

describe("`by`", () => {
  it("starts with the words of `by` if no account did it", () => {
    const rules = compileOwn(`protocol: chain
kind: standard
rules:
  - { id: keep, action: system_transaction, subject: { by: The chain }, when: { "==": [{ var: tx.value }, "0"] }, say: "keep house" }`);
    expect(decideBy(rules, caseOf({})).explanation.summary).toMatch(/^The chain kept house\./);
  });
});

describe("the shipped sentences", () => {
  let rules: Ruleset;
  beforeAll(() => {
    rules = loadRuleset(join(root, "rules")).ruleset;
  });

  /** A rule whose captures give `value` if they are in `told`, a verb if they are verbs, and nothing otherwise. */
  function saying(rule: CompiledRule, told: (name: string) => boolean): CompiledRule {
    const verbs = new Set(verbsOf(rule.does).flatMap(({ base }) => (typeof base === "string" ? [] : [base.capture])));
    const names = placeholdersOf(rule.does).map(({ capture }) => capture);
    const captures = names.map((name): [string, CompiledCapture] => [
      name,
      { kind: "const", text: told(name) ? (verbs.has(name) ? "take" : "value") : "" },
    ]);
    return { ...rule, captures: new Map(captures) };
  }

  it("show no mark of the notation, no matter which value is missing, and begin with their verb in each form", () => {
    const write = writer(rules);
    const openings = {
      past: /^(?:\([^)]*\) )?[a-z]+/,
      attempt: /^(?:\([^)]*\) )?tried to [a-z]/,
      conditional: /^(?:\([^)]*\) )?would [a-z]/,
    };
    const marked: string[] = [];
    for (const rule of rules.rules) {
      const names = [...new Set(placeholdersOf(rule.does).map(({ capture }) => capture))];
      for (let bits = 0; bits < 2 ** names.length; bits++)
        for (const form of Object.keys(openings) as SentenceForm[]) {
          const some = saying(rule, (name) => (bits >> names.indexOf(name)) % 2 === 1);
          const text = write.write(rule.does, { rule: some, context: nothing, form })?.text ?? "tried to";
          if (/[[\]{}<>|]| {2}|^ | $/.test(text)) marked.push(`${rule.id}: ${text}`);
        }
    }
    expect(marked).toEqual([]);
    for (const rule of rules.rules)
      for (const [form, opening] of Object.entries(openings)) {
        const whole = saying(rule, () => true);
        const text = write.write(rule.does, { rule: whole, context: nothing, form: form as SentenceForm })?.text;
        expect(text, rule.id).toMatch(opening);
        expect(text, rule.id).not.toMatch(/[[\]{}<>|]| {2}|^ | $/);
      }
  });
});
