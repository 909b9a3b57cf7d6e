import { describe, expect, it } from "vitest";
import { type MutationReport, mutateRules } from "../../../src/tools/lint/mutation/mutate.ts";
import { shippedTables } from "../../support/shipped-tables.ts";
import { noRecordings } from "./lint-text.ts";

const [weak, token] = ["rules/weak.yaml", "rules/token.yaml"];
const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const labels = {
  path: "labels/tokens.yaml",
  text: `schema: tokens/v1
sources: { list: ex/list@0123456:A.md }
tokens:
  - { address: "${usdc}", symbol: USDC, name: USD Coin, decimals: 6, well_known: true, source: list }
  - { address: "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb", symbol: DAI, name: Dai, decimals: 18, well_known: true, source: list }
`,
};
const head = (protocol: string, kind: string) => `protocol: ${protocol}
name: Weak
kind: ${kind}
source: ex/book@0123456:A.md
contracts:
  pool: { Weak pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
abi:
  Paid: "event Paid(address indexed user, uint256 amount)"
  Moved: "event Transfer(address indexed from, address indexed to, uint256 value)"
  pay: "function pay(uint256 amount)"
  Allow: "message Allow(address token, address spender, uint8 amount)"
  Vote: "message Vote(uint256 proposal)"
rules:
`;
const paid =
  "given: { to: pool, call: { pay: { amount: 5 } }, logs: [{ Paid: { at: pool, user: alice, amount: 5 } }] }";
const pay = (at: string, more = "") =>
  `  - { id: pay, action: payment, anchor: { event: Paid, within: pay, calls_at: pool }, at: ${at}, subject: user, say: "pay"${more} }\n`;
const examples = (...list: string[]) => `examples:\n${list.map((one) => `  - ${one}\n`).join("")}`;

function forge(texts: Record<string, string>, wanted = Object.keys(texts), told: number[][] = []): MutationReport {
  const rules = [...shippedTables, ...Object.entries(texts).map(([file, text]) => ({ file, text }))];
  const sources = { rules, labels: [labels], wanted: new Set(wanted) };
  return mutateRules(sources, noRecordings, (...one) => told.push(one));
}

const counts = ({ kinds }: MutationReport) =>
  Object.entries(kinds).flatMap(([kind, { mutants, killed }]) =>
    mutants === 0 ? [] : [`${kind} ${killed}/${mutants}`],
  );

describe("rules whose examples are forged", () => {
  it("are listed, and those without an example that can be", () => {
    const idle = `  - { id: idle, action: payment, anchor: { call: pay }, at: pool, say: "pay" }\n`;
    const free = `  - { id: free, action: payment, money: { gives: some, gets: nothing }, say: "pay" }\n`;
    const text = head("weak", "protocol") + pay("pool") + idle + free;
    const told: number[][] = [];
    const twice = examples(`{ name: one, ${paid}, rule: pay }`, `{ ${paid}, rule: pay }`, `{ ${paid}, not: idle }`);
    const other = head("token", "standard").replace("0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", usdc) + pay("pool");
    const report = forge({ [weak]: text + twice, [token]: other }, [weak], told);
    expect([report.rules, report.untested, report.needless]).toEqual([...[["weak/pay"], ["weak/idle"], []]]);
    expect(told).toEqual([[0, 1]]);
    expect(forge({ [weak]: text }).untested).toEqual(["weak/pay", "weak/idle"]);
    // If the example's rule does not fit, nothing is forged.
    const wrong = examples("{ given: { to: pool }, rule: pay }", "{ given: { to: nobody }, rule: pay }");
    const none = forge({ [weak]: text + wrong });
    expect([none.rules, none.untested, counts(none)]).toEqual([[], ["weak/pay", "weak/idle"], []]);
  });

  it("are told by what deceives them, with the reason that they give", () => {
    const [why, none] = ["the pool says where the money goes", "nobody is ever robbed here"];
    const rule = (more: string) =>
      `  - { id: pay, action: payment, anchor: { event: Paid }, at: pool, subject: user, money: { back: { from: pool, amount: amount } }, say: "pay"${more} }\n`;
    const came = "{ transfer: { token: carol, from: pool, to: alice, amount: 5 } }";
    // What a known contract pays out on the sender's call is told without the rule, and so are ether and listed tokens.
    const through = paid.replace("to: pool", "to: bob").replace("[{", `[${came}, {`);
    const text = (more: string, name: string) =>
      `${head("weak", "protocol")}${rule(more)}${examples(`{ ${name}${through}, rule: pay }`)}`;
    const diverted = ({ survivors }: MutationReport) => survivors.filter(({ kind }) => kind === "other-beneficiary");
    const report = forge({
      [weak]: text(`, survives: { other-beneficiary: ${why}, side-show: ${none} }`, "name: one, "),
    });
    const survivor = {
      ...{ kind: "other-beneficiary", file: weak, rule: "weak/pay", stands: ["weak/pay"] },
      ...{ change: "what the subject gets goes to a stranger", problem: "the stranger is not told" },
      summary: "0xA11C…11Ce paid.",
    };
    expect(diverted(report)).toEqual([{ ...survivor, example: "one", reason: why }]);
    expect(report.needless).toEqual([{ rule: "weak/pay", kind: "side-show" }]);
    const plain = forge({ [weak]: text("", "") });
    expect([diverted(plain), plain.needless]).toEqual([[{ ...survivor, example: "", reason: null }], []]);
  });

  it("are asked for their money alone where nothing proves their place", () => {
    const moved = "given: { to: pool, logs: [{ transfer: { token: USDC, from: alice, to: pool, amount: 5 } }] }";
    const rule = (action: string, at: string) =>
      `  - { id: move, action: ${action}, anchor: { event: Moved }, at: ${at}, subject: from, say: "move it" }\n`;
    const kinds = (action: string, at: string, kind = "standard") =>
      counts(
        forge({ [token]: `${head("token", kind)}${rule(action, at)}${examples(`{ ${moved}, rule: move }`)}` }),
      ).map((line) => line.split(" ")[0]);
    const money = ["diverted-payment", "added-theft", "added-grant", "side-show"];
    expect([kinds("wrap", "moved"), kinds("stake", "moved"), kinds("stake", "any")]).toEqual([
      ...[money, ["third-party", ...money], money],
    ]);
  });
});

describe("messages that are forged", () => {
  const vote = `  - { id: vote, message: Vote, at: pool, action: governance, say: "vote" }\n`;
  const allow = `  - { id: allow, message: Allow, at: pool, action: erc20_approval, allows: { token: token, spender: spender, amount: amount }, say: "allow it" }\n`;
  const text = head("weak", "protocol").replace("rules:", "messages:") + vote + allow;
  const given = "given: { message: { token: USDC, spender: bob, amount: 5 } }";

  it("are listed with their rules, and told where they deceive", () => {
    const report = forge({
      [weak]: `${text}${examples(`{ name: a, ${given}, rule: allow }`, `{ ${given}, rule: allow }`)}`,
    });
    const survivor = {
      ...{ kind: "endless-right", file: weak, rule: "weak/allow", stands: ["weak/allow"], reason: null },
      ...{ change: "all that is allowed has no limit", problem: "the sentence does not tell that there is no limit" },
      summary: "0xA11C…11Ce is asked to allow it.",
    };
    expect(report.survivors).toEqual([
      { ...survivor, example: "a" },
      { ...survivor, example: "" },
    ]);
    expect([report.rules, report.untested]).toEqual([["weak/allow"], ["weak/vote"]]);
    expect(counts(report)).toEqual(["foreign-verifier 2/2", "other-chain 4/4", "other-type 4/4", "endless-right 0/2"]);
  });

  it("are none where the rule does not stand, or the example is about no rule", () => {
    const elsewhere = "given: { message: {}, sign: Vote, at: bob }";
    const own = examples(
      `{ ${elsewhere}, rule: vote }`,
      "{ given: { message: {}, sign: Vote, at: pool }, not: allow }",
    );
    const report = forge({ [weak]: text + own });
    expect([report.rules, report.untested, counts(report)]).toEqual([[], ["weak/vote", "weak/allow"], []]);
  });
});
