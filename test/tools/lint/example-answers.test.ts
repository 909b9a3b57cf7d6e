import { describe, expect, it } from "vitest";
import { lintTexts, marketHead } from "./lint-text.ts";

const head = `${marketHead}  Paid: "event Paid(address indexed user, uint256 amount)"
  pay: "function pay(uint256 amount)"
  payEther: "function payEther()"
rules:
`;
const paid = `  - { id: paid, action: payment, anchor: { event: Paid }, at: pool, subject: user, say: "pay through {protocol}", tried: pay }
`;

/** The findings about examples and attempts: code, message, suggestion and help. */
function told(examples: readonly string[], rules = paid) {
  const list = examples.length === 0 ? "" : `examples:\n${examples.map((one) => `  - ${one}\n`).join("")}`;
  return lintTexts({ market: `${head}${rules}${list}` })
    .filter(({ code }) => /^RL60[2456]$/.test(code))
    .map(({ code, message, suggest }) => [code, message, ...(suggest === undefined ? [] : [suggest])]);
}

const fine = "{ name: fine, given: { to: pool, logs: [{ Paid: { at: pool, user: alice, amount: 1 } }] }, rule: paid }";
const nobody = "{ name: nobody, given: { to: bob }, not: paid }";

describe("examples that are no cases", () => {
  it("say what is missing", () => {
    const hash = `0x${"7".repeat(64)}`;
    const examples = [
      ...[fine, "{ name: empty, not: paid }", "{ name: odd, like: odd, not: paid }", "{ like: fien, not: paid }"],
      ...["{ name: a, like: b, not: paid }", "{ name: b, like: a, not: paid }"],
      ...[`{ tx: "${hash}", not: paid }`, `{ like: "${hash.replaceAll("7", "8")}", not: paid }`],
      ...["{ like: nobody, untrusted: [pool, pol], not: paid }", "{ like: nobody, not: piad }", nobody],
    ];
    expect(told(examples)).toEqual([
      ["RL604", "the example has none of `tx`, `given` and `like`"],
      ["RL604", "`odd` refers back to this example"],
      ["RL604", "`fien` names no example of this file", "fine"],
      ["RL604", "`a` refers back to this example"],
      ["RL604", "there is no recording of `0x77777777…`"],
      ["RL604", "there is no recording of `0x88888888…`"],
      ["RL604", "`pol` is no contract role or member of this file", "pool"],
      ["RL604", "`piad` is no rule", "paid"],
    ]);
  });
});

describe("summaries of examples", () => {
  it.each<[string, boolean]>([
    ["0xA11C…11Ce paid through Market.", true],
    ["0x… paid through Market.", true],
    ["0x… paid through Market", false],
    ["0x… paid through Market. ", false],
    ["To 0x… paid through Market.", false],
    ["0x… paid through.Market.", false],
    ["0x… (paid) through Market.", false],
    ["0x… paid through Market?", false],
  ])("may have 0x… for any address: %s", (summary, right) => {
    const message = "the summary is `0xA11C…11Ce paid through Market.`; another one was expected; `market/paid` stands";
    expect(told([fine.replace(/ \}$/, `, summary: "${summary}" }`)])).toEqual(right ? [] : [["RL602", message]]);
  });
});

describe("rules that do not come out", () => {
  it("are told with what stands instead", () => {
    expect(told(["{ given: { to: pool }, rule: paid, action: payment }"])).toEqual([
      [
        "RL602",
        "the rule `paid` was expected to stand; no rule stands, and it did not match: no log is of the event `Paid`",
      ],
      ["RL602", expect.stringMatching(/^the action `payment` was expected, `\w+` came out; no rule stands$/)],
    ]);
  });

  it("may lose to others, several of which stand", () => {
    const both =
      "given: { to: pool, logs: [{ Paid: { at: pool, user: alice, amount: 1 } }, { Paid: { at: pool, user: alice, amount: 2 } }] }";
    const weak = `  - { id: weak, action: swap, anchor: { event: Paid }, at: pool, subject: user, say: "swap" }\n`;
    expect(
      told([`{ ${both}, rule: weak }`, `{ ${both}, not: paid }`], paid + weak).map(([, message]) => message),
    ).toEqual([
      "the rule `weak` was expected to stand; `market/paid`, `market/paid` stand, and it lost to `market/paid`: log 0 is claimed",
      expect.stringMatching(/^the rule `paid` stands, but was not to: `0xA11C…11Ce paid through Market.*`$/),
    ]);
  });
});

describe("rules at untrusted contracts", () => {
  it("must not stand by another form", () => {
    const anywhere = paid.replace("at: pool", "at: any");
    expect(told([fine], paid + anywhere)).toEqual([
      ["RL602", "the rule `paid` stands at untrusted contracts too: `0xA11C…11Ce made a payment.`"],
    ]);
    const negative = fine.replace("rule: paid", "not: other");
    expect(told([negative], paid + anywhere).map(([code]) => code)).toEqual(["RL604"]);
  });
});

describe("attempts that are told otherwise", () => {
  const other = (more: string) =>
    `  - { id: other, action: swap, anchor: { event: Paid }, at: pool, subject: user, say: "swap", tried: ${more} }\n`;

  it("are told with the rule that tells them", () => {
    expect(told([], paid + other("pay"))).toEqual([
      ["RL605", "`other: reverted pay` is told by `market/paid`; `market/other` was expected"],
    ]);
    expect(told([], paid + other("payEther"))).toEqual([]);
    expect(told([], paid.replace("tried: pay", "tried: [{ call: pay, at: moved }]"))).toEqual([
      ["RL605", "`paid: reverted pay` is told by no rule; `market/paid` was expected"],
    ]);
  });

  it("must fill their sentence", () => {
    const filled = paid.replace('say: "pay', 'values: { n: amount as count }, say: "pay {n}');
    const unfilled = filled.replace("tried: pay", "tried: [pay, payEther]");
    const own = "is told in the action's own words; the rule's sentence was expected";
    expect([told([], filled), told([], unfilled)]).toEqual([[], [["RL606", `\`paid: reverted payEther\` ${own}`]]]);
  });
});
