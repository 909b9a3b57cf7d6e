import { describe, expect, it } from "vitest";
import { lintTexts, markedText } from "./lint-text.ts";

function file(kind: "protocol" | "standard", rule: string): string {
  return `protocol: market
name: Market
kind: ${kind}
site: https://example.org
contracts:
  pool: { source: ex/book@0123456:A.md, "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Market pool }
abi:
  Moved: "event Moved(address indexed from, address indexed to, uint256 amount)"
  move: "function move(uint256 amount)"
rules:
  - { id: a, ${rule} }
`;
}

function found(kind: "protocol" | "standard", rule: string): [string, string][] {
  const text = file(kind, rule);
  return lintTexts({ market: text })
    .filter((one) => /^RL61[01]$/.test(one.code))
    .map((one) => [one.code, markedText(text, one)]);
}

const plain = 'does: "do it"';
const naming = 'does: "do it on {protocol}"';

const typed = '{ "==": [{ var: tx.type }, deposit] }';
const deposit = `where: ${typed}`;

describe("anyone could trigger it", () => {
  it.each<["protocol" | "standard", string, string]>([
    ["protocol", `action: stake, event: Moved, at: any, who: args.from, ${plain}`, "any"],
    ["protocol", `action: stake, event: Moved, who: args.from, ${plain}`, "stake"],
    ["protocol", `action: stake, call: move, at: [pool, any], ${plain}`, "[pool, any]"],
    ["protocol", `action: stake, flow: { gives: some }, ${plain}`, "stake"],
    ["protocol", `action: nft_mint, event: Moved, at: any, who: args.from, ${naming}`, "protocol"],
    ["standard", `action: wrap, call: move, at: pool, ${naming}`, "protocol"],
    ["protocol", `action: wrap, event: Moved, at: any, acts_for: args.to, ${plain}`, "args.to"],
    [
      "protocol",
      `action: vault_deposit, event: Moved, at: moved, who: args.from, legs: { s: { token: emitter } }, ${plain}`,
      "moved",
    ],
    [
      "standard",
      `action: vault_deposit, event: Moved, at: moved, who: args.from, legs: { s: { from: subject } }, ${plain}`,
      "moved",
    ],
    [
      "standard",
      `action: vault_deposit, event: Moved, at: moved, who: args.from, legs: { s: { token: emitter, optional: true } }, ${plain}`,
      "moved",
    ],
    ["protocol", `action: stake, call: move, at: pool, attempts: [{ call: move, at: any }], ${plain}`, "any"],
    ["protocol", `action: wrap, call: move, attempts: move, ${plain}`, "move"],
    ["standard", `action: wrap, call: any, at: pool, attempts: [{ call: any, at: any }], ${plain}`, "any"],
    // A deposit may call a stranger, who may say anything.
    ["protocol", `action: bridge_in, event: Moved, at: any, who: args.to, ${deposit}, ${plain}`, "any"],
    ["protocol", `action: bridge_in, call: plain, at: any, ${deposit}, ${naming}`, "protocol"],
    [
      "protocol",
      `action: bridge_in, call: plain, at: any, where: { or: [${typed}, { "==": [{ var: tx.type }, legacy] }] }, ${plain}`,
      "any",
    ],
  ])("%s: %s", (kind, rule, marked) => {
    expect(found(kind, rule)).toEqual([["RL610", marked]]);
  });

  it.each<["protocol" | "standard", string]>([
    ["protocol", `action: stake, event: Moved, at: pool, who: args.from, ${naming}`],
    ["protocol", `action: stake, event: Moved, at: any, call: move, call_at: pool, ${naming}`],
    ["protocol", `action: swap, flow: { gives: one fungible, gets: one fungible }, ${plain}`],
    ["standard", `action: nft_sale, flow: { gives: one fungible, gets: one nft }, ${plain}`],
    [
      "standard",
      `action: vault_deposit, event: Moved, at: moved, who: args.from, legs: { s: { token: emitter } }, ${plain}`,
    ],
    ["standard", `action: vault_deposit, call: move, at: moved, legs: { s: { token: call.to } }, ${plain}`],
    ["standard", `action: wrap, call: move, at: any, attempts: move, ${plain}`],
    ["protocol", `action: multisig_execution, event: Moved, at: any, acts_for: emitter, ${plain}`],
    ["protocol", `action: stake, event: Moved, at: pool, acts_for: args.to, ${plain}`],
    ["protocol", `action: bridge_in, call: plain, at: any, acts_for: call.to, ${deposit}, ${plain}`],
    ["protocol", `action: bridge_in, call: plain, at: any, where: [{ "==": [deposit, { var: tx.type }] }], ${plain}`],
  ])("but not %s: %s", (kind, rule) => {
    expect(found(kind, rule)).toEqual([]);
  });
});

describe("nothing ties the event to the subject", () => {
  const event = "action: stake, event: Moved, at: pool";

  it.each([
    "",
    "flow: { gives: any, gets: any },",
    "legs: { x: { from: args.from } },",
    "legs: { x: { from: subject, optional: true } },",
    'where: { uint_gt: [{ var: args.amount }, "1"] },',
  ])("%s", (tie) => {
    expect(found("protocol", `${event}, ${tie} ${plain}`)).toEqual([["RL611", "Moved"]]);
  });

  it.each([
    "who: args.from,",
    "flow: { gets: some },",
    "legs: { x: { to: subject } },",
    "call: move,",
    "acts_for: args.from,",
    "where: { addr_eq: [{ var: args.from }, { var: subject }] },",
    "where: { addr_eq: [{ var: args.from }, { var: tx.to }] },",
  ])("but %s does", (tie) => {
    expect(found("protocol", `${event}, ${tie} ${plain}`)).toEqual([]);
  });

  it("is asked of a change of control too, whatever its action", () => {
    const handed = "action: contract_interaction, control: owner, event: Moved, at: any";
    expect(found("standard", `${handed}, ${plain}`)).toEqual([["RL611", "Moved"]]);
    for (const tie of [
      "who: emitter,",
      "acts_for: emitter,",
      "where: { addr_eq: [{ var: emitter }, { var: call.to }] },",
    ])
      expect(found("standard", `${handed}, ${tie} ${plain}`)).toEqual([]);
  });
});
