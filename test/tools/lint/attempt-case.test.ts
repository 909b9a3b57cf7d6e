import { describe, expect, it } from "vitest";
import { decide } from "../../../src/engine/spine.ts";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { deriveAttemptCases } from "../../../src/tools/lint/examples/attempt-case.ts";
import { isUsable } from "../../../src/tools/lint/rule-view.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTables } from "../../support/shipped-tables.ts";
import { lintTexts, markedText, marketHead } from "./lint-text.ts";

const text = (
  attempts: string,
  more = "",
) => `${marketHead}  Paid: "event Paid(address indexed user, address token, uint256 amount)"
  pay: "function pay(address token, uint256 amount, address to)"
  payAll: "function payAll(address[] tokens, uint256[2] amounts, uint8 mode, bool flag)"
  payEther: "function payEther(uint40 day)"
  payPath: "function payPath(bytes path, uint256 amount)"
  payOrder: "function payOrder(bytes32 order, bytes32 to, (uint256 token)[] steps, address[] tokens, uint256[] amounts)"
  relay: "function relay((address from, uint256 nonce) order, string note)"
rules:
  - id: paid
    action: payment
    anchor: { event: Paid }
    at: pool
    subject: user
    values: { amount: amount of token }
    say: "pay {amount}${attempts.includes(" to: ") ? "[ to {to}]" : ""} through {protocol}"
    tried: ${attempts}
    example: { to: pool, logs: [{ Paid: { at: pool, user: alice, token: USDC, amount: "1000000" } }] }
${more}`;

/** The names of the derived cases, each with its sentence. */
function derived(attempts: string, more = ""): string[][] {
  const { ruleset, files, diagnostics } = compileSources([
    ...shippedTables,
    { file: "rules/market.yaml", text: text(attempts, more) },
  ]);
  expect(diagnostics.filter(({ level }) => level === "error")).toEqual([]);
  const [file] = files.filter(isUsable);
  const labels = shippedLabels();
  if (file === undefined) throw new Error("the file does not compile");
  const world = { ruleset, labels, recordingsDir: "", scopes: () => file.scope };
  return deriveAttemptCases(file, world).map(({ name, caseFile }) => [
    name,
    decide(caseFile, ruleset, labels)
      .explanation.summary.replace(/^\S+ /, "")
      .replace(/, but the transaction reverted\..*$/, ""),
  ]);
}

const codes = (attempts: string) => {
  const whole = text(attempts);
  return lintTexts({ market: whole })
    .filter(({ code }) => /^RL60[56]$/.test(code))
    .map((one) => [one.code, markedText(whole, one)]);
};

describe("a reverted call follows from an attempt", () => {
  it("with tokens and amounts where its captures ask for them", () => {
    expect(derived("pay")).toEqual([["paid: reverted pay", "tried to pay 1,000,000,000,000 USDC through Market"]]);
    const to = "[{ call: pay, values: { to: to as other } }]";
    expect(derived(to)[0]?.[1]).toMatch(/^tried to pay 1,000,000,000,000 USDC to 0x\S+ through Market$/);
  });

  it.each<[string, string, string]>([
    [
      "in lists",
      "[{ call: payAll, values: { amount: [{ amount: amounts.0, of: tokens.0 }, { amount: amounts.1, of: tokens.-1 }] } }]",
      "tried to pay 1,000,000,000,000 USDC and 1 WETH through Market",
    ],
    ["as ether", "[{ call: payEther, values: { amount: call.value of native } }]", "tried to pay 1 ETH through Market"],
    [
      "in packed bytes",
      "[{ call: payPath, values: { amount: amount of path.addressAt.-20 } }]",
      "tried to pay 1,000,000,000,000 USDC through Market",
    ],
    [
      "in a sentence of its own",
      '[{ call: relay, for: order.from, values: { note: note as text }, say: "send {note}" }]',
      'tried to send "sample"',
    ],
    [
      "with lists of two where their length is told",
      '[{ call: payAll, values: { count: tokens.length as count token/tokens }, say: "pay {count}" }]',
      "tried to pay 2 tokens",
    ],
    [
      "with lists as long as a condition asks for",
      '[{ call: payAll, when: { "==": [{ var: tokens.length }, "1"] }, values: { amount: amounts.0 of tokens.0 } }]',
      "tried to pay 1,000,000,000,000 USDC through Market",
    ],
    [
      "with the first value of an enum",
      '[{ call: payAll, values: { flag: { enum: flag, values: { "true": fast } }, mode: { enum: mode, values: { "2": cash } } }, say: "pay {flag} in {mode}" }]',
      "tried to pay fast in cash",
    ],
    [
      "with hashes, and addresses in words",
      '[{ call: payOrder, values: { order: order as hash, to: to.addressAt.0 as address }, say: "pay {order} to {to as full}" }]',
      "tried to pay 0x12ab…12ab to 0xCA401000000000000000000000000000000Ca401",
    ],
    [
      "with what stands at an index that the call tells",
      "[{ call: payOrder, values: { amount: amounts.(steps.0.token) of tokens.(steps.0.token) } }]",
      "tried to pay 1,000,000,000,000 USDC through Market",
    ],
  ])("%s", (_what, attempts, told) => {
    expect(derived(attempts).map(([, sentence]) => sentence)).toEqual([told]);
  });

  it("that meets its conditions, and has a name of its own", () => {
    const where = (logic: string) => `{ call: pay, when: ${logic} }`;
    const two = `[${where('{ "==": [{ var: amount }, "5000000"] }')}, ${where('{ ">": [{ var: amount }, "0"] }')}]`;
    expect(derived(two)).toEqual([
      ["paid: reverted pay", "tried to pay 5 USDC through Market"],
      ["paid: reverted pay (2)", "tried to pay 1,000,000,000,000 USDC through Market"],
    ]);
    const flag =
      '[{ call: payAll, when: [{ var: flag }, { "==": [{ var: mode }, "2"] }], values: { amount: amounts.0 of tokens.0 } }]';
    expect(derived(flag)).toHaveLength(1);
  });

  it("for each call of an attempt", () => {
    expect(derived("[pay, payEther]").map(([name]) => name)).toEqual(["paid: reverted pay", "paid: reverted payEther"]);
  });

  it("but not from any call, nor under conditions that no single value meets", () => {
    expect(derived("any")).toEqual([]);
    expect(derived('[{ call: pay, when: { or: [{ ">": [{ var: amount }, "1"] }] } }]')).toEqual([]);
    expect(derived('[{ call: pay, when: { starts: [{ var: tx.data }, "0x12"] } }]')).toEqual([]);
  });
});

describe("lint tries derived calls", () => {
  it("and is silent where the act's sentence is filled", () => {
    expect(codes("pay")).toEqual([]);
  });

  it("and tells an attempt whose call does not fill it", () => {
    expect(codes("payEther")).toEqual([["RL606", "payEther"]]);
    expect(codes('[{ call: payEther, say: "pay ether" }]')).toEqual([]);
  });
});
