import { describe, expect, it } from "vitest";
import { lintTexts, markedText } from "./lint-text.ts";

function file(kind: "protocol" | "standard", rule: string): string {
  return `protocol: market
name: Market
kind: ${kind}
site: https://example.org
contracts:
  pool: { source: ex/book@0123456:A.md, Market pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
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

const plain = 'say: "do it"';
const naming = 'say: "do it on {protocol}"';

const typed = '{ "==": [{ var: tx.type }, deposit] }';
const deposit = `when: ${typed}`;

describe("anyone could trigger it", () => {
  it.each<["protocol" | "standard", string, string]>([
    ["protocol", `action: stake, anchor: { event: Moved }, at: any, subject: from, ${plain}`, "any"],
    ["protocol", `action: stake, anchor: { event: Moved }, subject: from, ${plain}`, "stake"],
    ["protocol", `action: stake, anchor: { call: move }, at: [pool, any], ${plain}`, "[pool, any]"],
    ["protocol", `action: stake, money: { gives: some }, ${plain}`, "stake"],
    ["protocol", `action: nft_mint, anchor: { event: Moved }, at: any, subject: from, ${naming}`, "protocol"],
    ["standard", `action: wrap, anchor: { call: move }, at: pool, ${naming}`, "protocol"],
    ["protocol", `action: wrap, anchor: { event: Moved }, at: any, subject: { for: to }, ${plain}`, "to"],
    [
      "protocol",
      `action: vault_deposit, anchor: { event: Moved }, at: moved, subject: from, money: { s: { token: emitter } }, ${plain}`,
      "moved",
    ],
    [
      "standard",
      `action: vault_deposit, anchor: { event: Moved }, at: moved, subject: from, money: { s: { from: subject } }, ${plain}`,
      "moved",
    ],
    [
      "standard",
      `action: vault_deposit, anchor: { event: Moved }, at: moved, subject: from, money: { s: { token: emitter, optional: true } }, ${plain}`,
      "moved",
    ],
    ["protocol", `action: stake, anchor: { call: move }, at: pool, tried: [{ call: move, at: any }], ${plain}`, "any"],
    ["protocol", `action: wrap, anchor: { call: move }, tried: move, ${plain}`, "move"],
    ["standard", `action: wrap, anchor: { call: any }, at: pool, tried: [{ call: any, at: any }], ${plain}`, "any"],
    // A deposit may call a stranger, who may say anything.
    ["protocol", `action: bridge_in, anchor: { event: Moved }, at: any, subject: to, ${deposit}, ${plain}`, "any"],
    ["protocol", `action: bridge_in, anchor: { call: plain }, at: any, ${deposit}, ${naming}`, "protocol"],
    [
      "protocol",
      `action: bridge_in, anchor: { call: plain }, at: any, when: { or: [${typed}, { "==": [{ var: tx.type }, legacy] }] }, ${plain}`,
      "any",
    ],
  ])("%s: %s", (kind, rule, marked) => {
    expect(found(kind, rule)).toEqual([["RL610", marked]]);
  });

  it.each<["protocol" | "standard", string]>([
    ["protocol", `action: stake, anchor: { event: Moved }, at: pool, subject: from, ${naming}`],
    ["protocol", `action: stake, anchor: { event: Moved, within: move, calls_at: pool }, at: any, ${naming}`],
    ["protocol", `action: swap, money: { gives: one fungible, gets: one fungible }, ${plain}`],
    ["standard", `action: nft_sale, money: { gives: one fungible, gets: one nft }, ${plain}`],
    [
      "standard",
      `action: vault_deposit, anchor: { event: Moved }, at: moved, subject: from, money: { s: { token: emitter } }, ${plain}`,
    ],
    [
      "standard",
      `action: vault_deposit, anchor: { call: move }, at: moved, money: { s: { token: call.to } }, ${plain}`,
    ],
    ["standard", `action: wrap, anchor: { call: move }, at: any, tried: move, ${plain}`],
    ["protocol", `action: multisig_execution, anchor: { event: Moved }, at: any, subject: { for: emitter }, ${plain}`],
    ["protocol", `action: stake, anchor: { event: Moved }, at: pool, subject: { for: to }, ${plain}`],
    [
      "protocol",
      `action: bridge_in, anchor: { call: plain }, at: any, subject: { for: call.to }, ${deposit}, ${plain}`,
    ],
    [
      "protocol",
      `action: bridge_in, anchor: { call: plain }, at: any, when: [{ "==": [deposit, { var: tx.type }] }], ${plain}`,
    ],
  ])("but not %s: %s", (kind, rule) => {
    expect(found(kind, rule)).toEqual([]);
  });
});

describe("nothing ties the event to the subject", () => {
  const event = "action: stake, anchor: { event: Moved }, at: pool";

  it.each([
    "",
    "money: { rest: any },",
    "money: { x: { from: from } },",
    "money: { x: { from: subject, optional: true } },",
    'when: { ">": [{ var: amount }, "1"] },',
  ])("%s", (tie) => {
    expect(found("protocol", `${event}, ${tie} ${plain}`)).toEqual([["RL611", "Moved"]]);
  });

  it.each([
    "subject: from,",
    "money: { gets: some },",
    "money: { x: { to: subject } },",
    "anchor: { call: move },",
    "subject: { for: from },",
    'when: { "==": [{ var: from }, { var: subject }] },',
    'when: { "==": [{ var: from }, { var: tx.to }] },',
  ])("but %s does", (tie) => {
    expect(found("protocol", `${event}, ${tie} ${plain}`)).toEqual([]);
  });

  it("is asked of a change of control too, whatever its action", () => {
    const handed = "action: contract_interaction, also: { control: owner }, anchor: { event: Moved }, at: any";
    expect(found("standard", `${handed}, ${plain}`)).toEqual([["RL611", "Moved"]]);
    for (const tie of [
      "subject: emitter,",
      "subject: { for: emitter },",
      'when: { "==": [{ var: emitter }, { var: call.to }] },',
    ])
      expect(found("standard", `${handed}, ${tie} ${plain}`)).toEqual([]);
  });
});
