import { describe, expect, it } from "vitest";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import { alice, bob, caseOf, listedNothing, logOf, vault, zero } from "../../support/case-of.ts";
import { compileOwn, decideBy } from "../../support/own-rules.ts";

type Parts = Parameters<typeof caseOf>[0];
const subject = shorten(alice);
const did = "event Did(address indexed who, address other, uint256 amount, string note, uint256 when)";

/** The sentence of a rule with this capture and `does`, about one event at the hub. */
function tell(capture: string, does: string, args: Record<string, unknown> = {}, rest: Parts = {}) {
  const rules = compileOwn(`protocol: hub
kind: protocol
name: Hub
site: https://example.org
contracts:
  hub: { source: test, The Hub: "${checksum(vault)}" }
abi:
  Did: "${did}"
rules:
  - { id: did, action: claim, anchor: { event: Did }, at: hub, subject: who, ${capture && `values: ${capture}, `}say: "${does}" }`);
  const log = logOf(vault, did, {
    who: alice,
    other: bob,
    amount: 1_500_000n,
    note: "hi",
    when: 1_700_000_000n,
    ...args,
  });
  return decideBy(rules, caseOf({ receipt: { logs: [log] }, ...listedNothing, ...rest })).explanation;
}
const said = (...args: Parameters<typeof tell>) => tell(...args).summary;

describe("placeholders", () => {
  it.each<[string, string, string, Record<string, unknown>?]>([
    ["{ x: { address: other } }", "meet {x}", `met ${shorten(bob)}`],
    ["{ x: { address: other } }", "meet {x as full}", `met ${checksum(bob)}`],
    ["{ x: { amount: amount, of: native } }", "get {x}", "got 1,500,000 wei of ETH"],
    ["{ x: { integer: amount } }", "count {x}", "counted 1,500,000"],
    ["{ x: { number: amount } }", "take number {x}", "took number 1500000"],
    ["{ x: { integer: amount } }", "count {x}", "counted 999.5 × 10^18", { amount: 999_500_000_000_000_000_000n }],
    [
      "{ x: { number: amount } }",
      "take number {x}",
      "took number 999500…0000",
      { amount: 999_500_000_000_000_000_000n },
    ],
    ["{ x: { text: note } }", "say {x}", 'said "hi"'],
    ["{ x: { time: when } }", "wait until {x}", "waited until 2023-11-14"],
    ["{ x: { percent: amount, scale: '100000000' } }", "take {x}", "took 1.5%"],
    ["{ x: { quantity: amount, decimals: '6', unit: h } }", "wait {x}", "waited 1.5 h"],
    ["{ x: { quantity: amount, decimals: '8', unit: '%' } }", "take {x}", "took 0.015%"],
    ["{ x: { quantity: amount, unit: bps } }", "take {x}", "took 1,500,000 bps"],
    ["{ x: { duration: amount } }", "wait {x}", "waited 17 days 8 hours 40 minutes"],
    ["{ x: { amount: amount, of: native, cap: '1500000', capped: all } }", "get {x}", "got all ETH"],
    ["{ x: { amount: amount, of: native, cap: '1500001', capped: all } }", "get {x}", "got 1,500,000 wei of ETH"],
    ["{ x: { amount: amount, of: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' } }", "get {x}", "got 1.5 USDC"],
    ["{ x: { chain: amount, scheme: eip155 } }", "go to {x}", "went to chain 1500000"],
    ["{ x: { enum: amount, values: { '1500000': buy } } }", "choose to {x}", "chose to buy"],
    ["{ x: { count: Did, at: hub } }", "do {x}", "did 1"],
    ["{ x: { const: nothing } }", "do {x}", "did nothing"],
    ["", "use {contract} of {protocol}", `used ${shorten(vault)} of Hub`],
  ])("%s in “%s”", (capture, summary, expected, args = {}) => {
    expect(said(capture, summary, args)).toBe(`${subject} ${expected}.`);
  });

  it("are told in our own words for the far future", () => {
    expect(said("{ x: { time: when } }", "wait until {x}", { when: 2n ** 256n - 1n })).toContain("until forever");
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["a zero amount", "{ x: { amount: amount, of: native } }", { amount: 0n }],
    ["the zero address", "{ x: { address: other } }", { other: zero }],
    ["an enum's unknown value", "{ x: { enum: amount, values: { '7': buy } } }", {}],
    ["a text of nothing visible", "{ x: { text: note } }", { note: "\u200b\u202e" }],
    ["what did not move", "{ x: { flow: gives } }", {}],
  ])("fall back to the action's own words for %s", (_what, capture, args) => {
    expect(said(capture, "get {x}", args)).toBe(
      `${subject} claimed rewards on Hub.`.replace("claimed rewards", wordsOfClaim()),
    );
  });

  it.each([zero, "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"])("tell a token at %s as ether", (other) => {
    expect(said("{ x: { token: other } }", "get {x}", { other })).toBe(`${subject} got ETH.`);
  });

  it("tell the largest number as everything if it is not an allowance", () => {
    const amount = 2n ** 256n - 1n;
    expect(said("{ x: { amount: amount, of: native } }", "get {x}", { amount })).toBe(`${subject} got all its ETH.`);
  });

  it("quote a caller's own words for a chain, cleaned", () => {
    const { summary, provenance } = tell("{ x: { chain: note, scheme: axelar } }", "go to {x}", {
      note: "US\u0000DC\u001b[31m <b>",
    });
    expect(summary).toBe(`${subject} went to chain "USDC'31m 'b'".`);
    expect(provenance.untrusted_fields).toEqual(["summary"]);
  });

  it("cap a text, and it cannot end its quotation", () => {
    const note = `${"word ".repeat(40)}" and nothing else`;
    const { summary } = tell("{ x: { text: note } }", "say {x}", { note });
    expect(summary.match(/"/g)).toHaveLength(2);
    expect(summary.length).toBeLessThan(90);
  });
});

function wordsOfClaim(): string {
  return said("", "find {gives}").slice(subject.length + 1, -" on Hub.".length);
}
