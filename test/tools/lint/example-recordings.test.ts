import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "../../../src/tools/lint/lint.ts";
import { shippedTables } from "../../support/shipped-tables.ts";
import { build } from "./given-example.ts";
import { marketHead } from "./lint-text.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-recordings-"));
const [paying, asking, broken, missing, mixed] = ["1", "2", "3", "4", "5"].map(
  (digit) => `0x${digit.repeat(64)}`,
) as never as [...[string, string, string, string, string]];
const head = `${marketHead}  Paid: "event Paid(address indexed user, uint256 amount, string indexed topic, bytes path)"
  Sent: "event Sent(address indexed user)"
  Left: "event Left(address indexed user)"
  pay: "function pay(uint256 amount)"
rules:
  - { id: left, action: payment, anchor: { event: Left }, at: pool, subject: user, say: "leave {protocol}" }
  - { id: paid, action: payment, anchor: { event: Paid }, at: pool, subject: user, when: { "==": [{ var: amount }, "7"] }, say: "pay", tried: pay }
  - { id: sent, action: payment, anchor: { event: Sent }, at: pool, subject: user, say: "send", tried: pay }
examples:
`;
const { to, logs } = { to: "pool", logs: [{ Paid: { at: "pool", user: "alice", amount: 1 } }] };
writeFileSync(join(dir, `${paying}.json`), JSON.stringify(build({ to, logs })));
writeFileSync(join(dir, `${asking}.json`), JSON.stringify(build({ to, call: { run: {} } })));
writeFileSync(join(dir, `${broken}.json`), "{");
const built = build({ to, logs });
writeFileSync(join(dir, `${mixed}.json`), JSON.stringify({ ...built, receipt: { ...built.receipt, to: null } }));

/** Code, message and help of what is told of examples. */
function told(...examples: string[]) {
  const file = "rules/market.yaml";
  const text = head + examples.map((one) => `  - ${one}\n`).join("");
  const { diagnostics } = lint({ rules: [...shippedTables, { file, text }], labels: [], wanted: new Set([file]) }, dir);
  return diagnostics
    .filter(({ code }) => code === "RL602" || code === "RL604")
    .map(({ code, message, help }) => [code, message, ...(help === undefined ? [] : [help])]);
}

describe("recorded examples in which the rule does not stand", () => {
  const expected = (rule: string) => `the rule \`${rule}\` was expected to stand; no rule stands, and it did not match`;
  const topicOfPaid = expect.stringMatching(/and its contracts show 0x[0-9a-f]{64} with 2 more$/);

  it.each(["left", "sent"])("say what the event of the rule is, and what is there: %s", (rule) => {
    const [[code, message] = []] = told(`{ tx: "${paying}", rule: ${rule} }`);
    const signature = `${rule === "left" ? "Left" : "Sent"}(address)`;
    expect(code).toBe("RL602");
    expect(message).toEqual(topicOfPaid);
    expect(message?.startsWith(`${expected(rule)}. \`${signature}\` has the topic 0x`)).toBe(true);
  });

  it("say no more where the event is there, whatever else the rule could be tried by", () => {
    expect(told(`{ tx: "${paying}", rule: paid }`)).toEqual([["RL602", `${expected("paid")}: \`when\` does not hold`]]);
  });

  it("say nothing of the sort of what is given", () => {
    expect(told("{ given: { to: pool }, rule: sent }")).toEqual([
      ["RL602", `${expected("sent")}: no log is of the event \`Sent\``],
    ]);
  });
});

describe("recordings of examples", () => {
  it("must be there and be case files of one transaction, and may be taken over by their hash", () => {
    expect(
      told(
        ...[`{ tx: "${paying}", not: paid }`, `{ like: "${asking}", not: paid }`, `{ like: "${paying}", not: sent }`],
        ...[`{ tx: "${broken}", not: paid }`, `{ like: "${missing}", not: paid }`, `{ tx: "${mixed}", not: paid }`],
      ),
    ).toEqual([
      ["RL604", "the recording of `0x33333333…` is no case file"],
      ["RL604", "there is no recording of `0x44444444…`", `\`txgloss record ${missing}\` writes it`],
      [
        "RL604",
        `the recording of \`0x55555555…\` is of different transactions: \`to\` of the transaction is ${built.transaction.to}, and of the receipt null`,
      ],
    ]);
  });
});
