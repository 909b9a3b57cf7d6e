import { describe, expect, it } from "vitest";
import { lintTexts, markedText } from "./lint-text.ts";

const market = (examples: readonly string[]) => `protocol: market
name: Market
kind: protocol
site: https://example.org
source: ex/book@0123456:A.md
contracts:
  desk: { Market desk: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
abi:
  Paid: "event Paid(address indexed user)"
  Offer: "message Offer(address maker, address token, uint256 amount, address wanted, uint256 worth)"
  Vote: "message Vote(uint256 proposal)"
  Allow: "message Allow(address token, address spender, uint8 amount)"
rules:
  - { id: paid, action: payment, anchor: { event: Paid }, at: desk, subject: user, say: "pay" }
messages:
  - { id: offer, message: Offer, at: desk, action: swap, gives: { token: token, amount: amount }, gets: { token: wanted, amount: worth, to: maker }, say: "sell {gives}[ for at least {gets}] on {protocol}" }
  - { id: vote, message: Vote, at: desk, action: governance, say: "vote on {protocol}" }
  - { id: allow, message: Allow, at: desk, action: erc20_approval, allows: { token: token, spender: spender, amount: amount }, say: "allow it" }
examples:
${examples.map((one) => `  - ${one}\n`).join("")}`;
const offer = "message: { maker: alice, token: USDC, amount: 1000000, wanted: WETH, worth: 7 }";
const said =
  "0xA11C…11Ce is asked to sell 1 USDC for at least 0.000000000000000007 WETH on Market, and would get next to nothing for it.";

/** The findings about examples: code, message, marked text and suggestion. */
function told(examples: readonly string[]) {
  const text = market(examples);
  return lintTexts({ market: text })
    .filter(({ code }) => code === "RL602" || code === "RL604")
    .map((one) => [one.code, one.message, markedText(text, one), ...(one.suggest === undefined ? [] : [one.suggest])]);
}

describe("examples of messages", () => {
  it("come out as they say", () => {
    const right = `{ given: { ${offer} }, rule: offer, not: vote, action: swap, summary: "${said}" }`;
    expect(told([right, "{ given: { message: {}, sign: Vote, at: bob }, not: vote }"])).toEqual([]);
  });

  it("are told field by field where they do not", () => {
    const wrong = `{ given: { ${offer}, sign: Offer, at: desk }, rule: vote, not: offer, action: payment, summary: no }`;
    expect(told([wrong, "{ given: { message: {}, sign: Vote, at: bob }, rule: vote, action: swap }"])).toEqual([
      ["RL602", "the rule `vote` was expected to stand; `market/offer` stands", "vote"],
      ["RL602", `the rule \`offer\` stands, but was not to: \`${said}\``, "offer"],
      ["RL602", "the action `payment` was expected, `swap` came out; `market/offer` stands", "payment"],
      ["RL602", `the summary is \`${said}\`; another one was expected; \`market/offer\` stands`, "no"],
      ["RL602", "the rule `vote` was expected to stand; no rule stands", "vote"],
      ["RL602", expect.stringMatching(/^the action `swap` was expected, `\w+` came out; no rule stands$/), "swap"],
    ]);
  });

  it("are about rules of messages", () => {
    const vote = "given: { message: {}, sign: Vote, at: desk }";
    expect(told([`{ ${vote}, not: paid }`, `{ ${vote}, rule: vtoe }`, `{ ${vote}, not: nothing }`])).toEqual([
      ["RL604", "`paid` is no rule about a message", "paid"],
      ["RL602", "the rule `vtoe` was expected to stand; `market/vote` stands", "vtoe"],
      ["RL604", "`vtoe` is no rule about a message", "vtoe", "vote"],
      ["RL604", "`nothing` is no rule about a message", "nothing"],
    ]);
    expect(told(["{ given: { to: desk }, not: vote }"])).toEqual([["RL604", "`vote` is no rule", "vote"]]);
  });

  it("say at its place what cannot be read", () => {
    const given = [
      ...["{ message: { proposal: lots } }", "{ message: { propsal: 1 } }", "{ message: {}, frm: bob }"],
      ...["{ message: {}, from: bbo }", "{ message: {}, sign: Paid }"],
    ];
    expect(
      told([...given.map((one) => `{ given: ${one}, rule: vote }`), `{ given: { ${offer} }, rule: offer }`]),
    ).toEqual([
      ["RL604", "`lots` is no integer", "lots"],
      ["RL604", "`propsal` is no argument", "propsal", "proposal"],
      ["RL604", "`frm` is no field of a message", "frm", "from"],
      ["RL604", "`bbo` names no address", "bbo", "bob"],
      ["RL604", "`Paid` is no message of this file; `sign` says which it is", "{}"],
    ]);
  });

  it("take what is left out from the rule that they are about, also where it is not to stand", () => {
    const nothing = "`` is no message of this file; `sign` says which it is";
    expect(told(["{ given: { message: {} }, not: vote }", "{ given: { message: {} }, not: paid }"])).toEqual([
      ["RL602", expect.stringMatching(/^the rule `vote` stands, but was not to: /), "vote"],
      ["RL604", nothing, "{}"],
    ]);
  });

  it("must be seen through where they are forged, if the rule stands", () => {
    const allow = "given: { message: { token: USDC, spender: bob, amount: 5 } }";
    const hidden = "all that is allowed has no limit: the sentence does not tell that there is no limit";
    expect(told([`{ ${allow}, rule: allow }`])).toEqual([
      ["RL602", `${hidden}: \`0xA11C…11Ce is asked to allow it.\``, `{ ${allow}, rule: allow }`],
    ]);
    expect(told([`{ ${allow.replace("} }", "}, at: bob }")}, not: allow }`])).toEqual([]);
  });
});
