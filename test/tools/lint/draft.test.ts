import { describe, expect, it } from "vitest";
import type { BalanceChanges } from "../../../src/model/match.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { draftRules } from "../../../src/tools/lint/scaffold/draft.ts";
import type { SeenContract, Survey } from "../../../src/tools/lint/scaffold/survey.ts";
import {
  address,
  both,
  called,
  contractOf,
  erc20,
  ether,
  flowOf,
  gets,
  gives,
  known,
  logged,
  move,
  nft,
  nothing,
  other,
  paidLog,
  pay,
  payItem,
  pool,
  subject,
  surveyOf,
  word,
  zero,
} from "./survey-of.ts";

const done = known("event Done(uint256 count)");
const counted = logged([done.item.hash], `0x${word("7")}`, done);
const drafted = (survey: Survey) =>
  draftRules(survey).map(({ action, match, money, say, tried }) => ({ action, match, money, say, tried }));

describe("a draft", () => {
  it("of an event names who did it and binds the movements that it states, of a call those of its arguments", () => {
    const survey = surveyOf([contractOf({ calls: [pay], logs: [paidLog] })], {
      movements: [move(subject, pool, 5n), move(subject, other, 5n)],
    });
    expect(drafted(survey)).toEqual([
      {
        action: "payment",
        match: ["anchor: { event: Paid }", "at: desk", "subject: by"],
        money: ["paid: { token: token, from: subject, to: desk, amount: amount }", "rest: any"],
        say: "pay {paid} through {protocol}",
        tried: "pay",
      },
      {
        action: "payment",
        match: ["anchor: { call: pay }", "at: desk"],
        money: ["paid: { from: subject, to: desk, amount: amount, standards: [erc20] }", "gives: any", "gets: nothing"],
        say: "pay {paid} through {protocol}",
        tried: "same",
      },
    ]);
  });

  it.each<[string, Partial<Movement>, string]>([
    ["ether", { token: null, to: other }, "{ token: native, from: subject, to: to, amount: amount }"],
    [
      "the contract's own token",
      { token: pool, to: zero },
      "{ token: contracts.desk, from: subject, to: zero, amount: amount }",
    ],
    ["a token to somebody", { to: address("e") }, "{ from: subject, amount: amount, standards: [erc20] }"],
    ["what comes back", { from: pool, to: subject }, "{ from: desk, to: subject, amount: amount, standards: [erc20] }"],
  ])("binds %s", (_, more, leg) => {
    const survey = surveyOf([contractOf({ calls: [pay] })], { movements: [move(subject, pool, 5n, more)] });
    const name = more.to === subject ? "got" : "paid";
    expect(draftRules(survey)[0]?.money[0]).toBe(`${name}: ${leg}`);
  });

  it.each<[string, Partial<Movement>]>([
    ["gas", { fee: true }],
    ["nothing", { amount: 0n }],
    ["an NFT", { tokenId: 1n }],
    ["what goes to its sender", { to: subject }],
    ["what others move", { from: other }],
    ["another amount", { amount: 6n }],
  ])("does not bind %s", (_, more) => {
    const survey = surveyOf([contractOf({ calls: [pay] })], { movements: [move(subject, pool, 5n, more)] });
    expect(draftRules(survey)[0]?.money.join()).not.toContain("{");
  });

  it.each<[BalanceChanges, string[]]>([
    [gives, ["gives: some fungible", "gets: nothing"]],
    [gets, ["gives: nothing", "gets: some fungible"]],
    [flowOf([ether, erc20], [nft]), ["gives: some fungible", "gets: some nft"]],
    [flowOf([ether, nft], []), ["gives: some", "gets: nothing"]],
    [nothing, ["gives: nothing", "gets: nothing"]],
    [flowOf([], [], { complete: false }), []],
    [flowOf([erc20], [], { complete: false }), ["gives: some fungible", "gets: any"]],
    [flowOf([], [erc20], { complete: false }), ["gives: any", "gets: some fungible"]],
  ])("of a call says what moved: %#", (flow, entries) => {
    const [draft] = draftRules(surveyOf([contractOf({ calls: [called("0x12345678")] })], { flow }));
    expect(draft?.match).toEqual(["anchor: { call: any }", "at: desk"]);
    expect(draft?.money).toEqual(entries);
    expect(draft?.tried).toBe("same");
  });

  it("of an event that names nobody is tied by the money or by the call, or there is none", () => {
    const matches = (contract: Partial<SeenContract>, flow: BalanceChanges) =>
      draftRules(surveyOf([contractOf({ logs: [counted], ...contract })], { flow }))
        .filter(({ match }) => match[0]?.startsWith("anchor: { event: Done"))
        .map(({ match, money, tried, uses }) => [match[0]?.slice(10), money, tried, uses.map(({ name }) => name)]);
    const [alone, beside] = ["event: Done }", "event: Done, within: pay }"];
    expect(matches({}, gives)).toEqual([[alone, ["gives: some fungible", "gets: nothing"], null, ["Done"]]]);
    expect(matches({}, nothing)).toEqual([]);
    expect(matches({ calls: [pay] }, nothing)).toEqual([
      [beside, ["gives: nothing", "gets: nothing"], "same", ["Done", "pay"]],
    ]);
    expect(matches({ calls: [pay] }, gets)).toEqual([
      [alone, ["gives: nothing", "gets: some fungible"], "pay", ["Done", "pay"]],
    ]);
  });

  it("of what is best proven comes first, and none is of what every token emits", () => {
    const approval = known("event Approval(address owner, address spender, uint256 amount)");
    const emitted = logged([approval.item.hash], `0x${word(subject)}${word(other)}${word("5")}`, approval);
    const far = contractOf({ role: "far", address: other, logs: [paidLog, emitted] });
    const near = contractOf({ calls: [called("0x12345678"), pay] });
    const order = (contracts: SeenContract[]) => draftRules(surveyOf(contracts)).map(({ match }) => match.slice(0, 2));
    const [event, any, call] = [
      ["anchor: { event: Paid }", "at: far"],
      ["anchor: { call: any }", "at: desk"],
      ["anchor: { call: pay }", "at: desk"],
    ];
    expect(order([far, near])).toEqual([call, any, event]);
    expect(order([near, far])).toEqual([call, any, event]);
    expect(order([contractOf({ logs: [emitted] })])).toEqual([]);
  });

  it("has the id and the sentence of its action, which the author may tell", () => {
    const survey = surveyOf([contractOf({ calls: [pay] })], { flow: both, action: "lending_supply" });
    const [draft] = draftRules(survey);
    expect([draft?.id, draft?.action, draft?.say]).toEqual([
      "supply",
      "lending_supply",
      "supply {gives} to {protocol}",
    ]);
    const [sale] = draftRules({ ...survey, flow: nothing, action: "nft_sale" });
    expect([sale?.id, sale?.say]).toEqual(["sale", "give nothing for nothing on {protocol}"]);
    expect(draftRules({ ...survey, action: "add_liquidity" })[0]?.id).toBe("add-liquidity");
  });

  it("binds amounts of one and more", () => {
    const legsOf = (amount: bigint) => {
      const call = called(`${payItem.item.hash}${word(other)}${word(amount.toString(16))}`, payItem);
      const survey = surveyOf([contractOf({ calls: [call] })], { movements: [move(subject, pool, amount)] });
      return draftRules(survey)[0]?.money.filter((entry) => entry.includes("{")).length;
    };
    expect([0n, 1n, 2n].map(legsOf)).toEqual([0, 1, 1]);
  });

  it("of an event is tied by whom it names, or by an amount that it states", () => {
    const matches = (logs: SeenContract["logs"], more: Partial<Survey>, calls = [pay]) =>
      draftRules(surveyOf([contractOf({ calls, logs })], { flow: nothing, ...more }))
        .filter(({ match }) => match[0]?.startsWith("anchor: { event"))
        .map(({ match, money }) => [...match.slice(2), ...money.filter((entry) => !entry.includes("{"))]);
    const open = flowOf([], [], { complete: false });
    expect(matches([paidLog], {})).toEqual([["subject: by", "rest: any"]]);
    expect(matches([paidLog], { flow: open })).toEqual([["subject: by"]]);
    expect(matches([counted], { movements: [move(subject, pool, 7n)] })).toEqual([["gives: any", "gets: nothing"]]);
    const sent = known("event Sent(address from, address by)");
    const sentLog = logged([sent.item.hash], `0x${word(other)}${word(subject)}`, sent);
    expect(matches([sentLog], {})).toEqual([["subject: by", "rest: any"]]);
    // A function of the event's own name proves nothing more.
    const twin = known("function Done(uint256 count)");
    expect(matches([counted], {}, [called(`${twin.item.hash}${word("7")}`, twin)])).toEqual([]);
  });

  it("comes before others by the signature, by whom it names, and by each amount that it states", () => {
    const order = (contracts: SeenContract[], movements: Movement[] = []) =>
      draftRules(surveyOf(contracts, { movements })).map(({ match }) => match.slice(0, 2).join(" "));
    const [unknown, payOther] = [
      called("0x12345678"),
      called(`${payItem.item.hash}${word(other)}${word("6")}`, payItem),
    ];
    const desk = (more: Partial<SeenContract>) => contractOf(more);
    const far = (more: Partial<SeenContract>) => contractOf({ role: "far", address: other, ...more });
    const paidSeven = [move(subject, address("e"), 7n)];
    expect(order([desk({ calls: [payOther], logs: [counted] })], paidSeven)).toEqual([
      ...["anchor: { call: pay } at: desk", "anchor: { event: Done } at: desk"],
    ]);
    expect(order([desk({ calls: [unknown] }), far({ calls: [unknown], logs: [counted] })])).toEqual([
      ...["anchor: { event: Done } at: far", "anchor: { call: any } at: desk", "anchor: { call: any } at: far"],
    ]);
    expect(order([desk({ calls: [payOther] }), far({ calls: [unknown], logs: [paidLog] })])).toEqual([
      ...["anchor: { event: Paid } at: far", "anchor: { call: pay } at: desk", "anchor: { call: any } at: far"],
    ]);
    const five = [move(subject, address("e"), 5n)];
    expect(order([desk({ calls: [payOther] }), far({ calls: [pay] })], five)).toEqual([
      ...["anchor: { call: pay } at: far", "anchor: { call: pay } at: desk"],
    ]);
    expect(order([desk({ calls: [payOther] }), far({ calls: [pay] })], five.slice(1))).toEqual([
      ...["anchor: { call: pay } at: desk", "anchor: { call: pay } at: far"],
    ]);
    const bare = known("event Named(address by)");
    const named = logged([bare.item.hash], `0x${word(subject)}`, bare);
    expect(order([desk({ calls: [pay] }), far({ calls: [unknown], logs: [named] })], five)).toEqual([
      ...["anchor: { call: pay } at: desk", "anchor: { event: Named } at: far", "anchor: { call: any } at: far"],
    ]);
  });
});
