import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { messageForgeries } from "../../src/lint/messages/forged-messages.ts";
import { type MutationReport, mutateRules } from "../../src/lint/mutation/mutate.ts";
import { formatMutations, unexcused } from "../../src/lint/mutation/report-text.ts";
import { defaultRecordings, findSources } from "../../src/lint/sources.ts";
import { root } from "../support/shared.ts";
import { runRuleLint } from "./rule-lint-process.ts";

const folder = mkdtempSync(join(tmpdir(), "txgloss-mutants-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A rule file of one rule beside the shipped standards, and what its forgeries show. */
function forge(rule: string, logs: string, more = ""): MutationReport {
  const text = `# yaml-language-server: $schema=../../schemas/rule.schema.json
protocol: weak
name: Weak
kind: protocol
contracts:
  pool:
    { source: ex/book@0123456:A.md, "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": Weak pool }
abi:
  Paid: "event Paid(address indexed user, uint256 amount)"
  pay: "function pay(uint256 amount)"
rules:
  - id: pay
    action: payment
${rule}
    does: "pay on {protocol}"
examples:
  - name: a payment
    given:
      from: alice
      to: pool
      call: { pay: { amount: "5" } }
      logs:
${logs}
    rule: pay
${more}`;
  const shipped = findSources([join(root, "rules/standards")]);
  const rules = shipped.rules.filter(({ file }) => /actions|standards|erc4337/.test(file));
  const file = "rules/weak.yaml";
  return mutateRules({ ...shipped, rules: [...rules, { file, text }], wanted: new Set([file]) }, folder);
}

const paid = '        - Paid: { at: pool, user: alice, amount: "5" }';
const sent = `        - transfer: { token: USDC, from: alice, to: pool, amount: "5" }\n${paid}`;
const survivors = ({ survivors }: MutationReport) => survivors.map(({ kind, change }) => `${kind}: ${change}`);

const ofMessages = new Set(Object.keys(messageForgeries));

describe("forged examples", () => {
  it("are all seen through by a rule that asks for everything", () => {
    const report = forge(
      "    event: Paid\n    at: pool\n    who: args.user\n    legs:\n      paid: { from: args.user, to: pool, amount: args.amount }",
      sent,
    );
    expect(report.survivors).toEqual([]);
    expect(report.rules).toEqual(["weak/pay"]);
    for (const [kind, { mutants, killed }] of Object.entries(report.kinds))
      expect([kind, mutants > 0, killed]).toEqual([
        kind,
        kind !== "other-beneficiary" && !ofMessages.has(kind),
        mutants,
      ]);
  });

  it("deceive a rule that lets anyone emit its event", () => {
    const report = forge("    event: Paid\n    at: any\n    call: pay\n    call_at: pool\n    who: args.user", paid);
    expect(survivors(report)).toEqual(["foreign-emitter: Paid comes from an untrusted contract"]);
    expect(report.survivors[0]).toMatchObject({
      file: "rules/weak.yaml",
      rule: "weak/pay",
      example: "a payment",
      stands: ["weak/pay"],
    });
    expect(formatMutations(report)).toContain("foreign-emitter    50.0 %  1 of 2 killed");
  });

  it("deceive a rule that does not say where its leg goes", () => {
    const report = forge(
      "    event: Paid\n    at: pool\n    who: args.user\n    legs:\n      paid: { amount: args.amount }",
      sent,
    );
    expect(survivors(report)).toContain("swapped-sides: leg paid");
  });

  it("deceive a rule that believes an event about somebody else", () => {
    const report = forge("    event: Paid\n    at: pool\n    who: [args.user, subject]", paid);
    const found = survivors(report);
    expect(found).toContain("third-party: inside a plain transfer");
    expect(found.filter((line) => line.startsWith("foreign-emitter"))).toEqual([]);
  });

  const came = `        - transfer: { token: USDC, from: pool, to: alice, amount: "5" }\n${paid}`;
  const unbound =
    "    event: Paid\n    at: pool\n    who: args.user\n    legs:\n      back: { from: pool, amount: args.amount }";

  it("deceive a rule that tells what came in wherever it went", () => {
    const report = forge(unbound, came);
    expect(survivors(report)).toContain("other-beneficiary: what the subject gets goes to a stranger");
    expect(unexcused(report)).toEqual([
      expect.objectContaining({
        problem: "the stranger is not told",
        summary: "0xA11C…11Ce payed on Weak.",
        reason: null,
      }),
    ]);
  });

  it("may survive with a reason, which must be needed", () => {
    const why = "the pool says where the money goes";
    const reason = (kind: string) => `${unbound}\n    survives:\n      ${kind}: ${why}`;
    const excused = forge(reason("other-beneficiary"), came);
    expect([unexcused(excused), excused.needless]).toEqual([[], []]);
    expect(formatMutations(excused)).toContain(`the rule says why: ${why}`);
    const needless = forge(reason("side-show"), came);
    expect(unexcused(needless)).toHaveLength(1);
    expect(needless.needless).toEqual([{ rule: "weak/pay", kind: "side-show" }]);
    expect(formatMutations(needless)).toContain("weak/pay gives a reason for side-show, and nothing survives");
  });

  it("do not count where nothing can be forged", () => {
    const report = forge("    attempts: [{ call: pay, at: pool }]", paid);
    expect(report).toMatchObject({ rules: [], untested: ["weak/pay"], survivors: [] });
  });
});

describe("the shipped rules", () => {
  const report = mutateRules(findSources([join(root, "rules")]), defaultRecordings());

  it("believe no untrusted contract", () => {
    expect(report.survivors.filter(({ kind }) => kind === "foreign-emitter")).toEqual([]);
    expect(report.kinds["foreign-emitter"].mutants).toBeGreaterThan(1_000);
    expect(report.rules.length).toBeGreaterThan(500);
  });

  it("hide no money and no right that somebody lost, or say why", () => {
    expect(unexcused(report)).toEqual([]);
    for (const kind of ["diverted-payment", "added-theft", "added-grant", "side-show", "other-beneficiary"] as const)
      expect([kind, report.kinds[kind].mutants > 600]).toEqual([kind, true]);
  });

  it("see through nearly every other forgery", () => {
    const { mutants, killed } = Object.values(report.kinds).reduce((sum, kind) => ({
      mutants: sum.mutants + kind.mutants,
      killed: sum.killed + kind.killed,
    }));
    expect(killed / mutants).toBeGreaterThan(0.99);
  });
});

describe("rule-lint --mutate", { timeout: 60_000 }, () => {
  it("prints the rate of each kind", async () => {
    const { code, stdout } = await runRuleLint(["--mutate", "rules/dex/gauges.yaml", "rules/rewards"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^foreign-emitter\s+100\.0 % {2}\d+ of \d+ killed$/m);
    expect(stdout).toMatch(/^forged-operation\s+(?:\d+\.\d %|-) {2}\d+ of \d+ killed$/m);
    expect(stdout).toMatch(/^all .*\d+ rules$/m);
  });

  it("ends with 1 and names the rule that believes an untrusted contract", async () => {
    const weak = readFileSync(join(root, "rules/rewards/degen.yaml"), "utf8")
      .replace("    at: airdrop\n", "    at: any\n    call: claim\n    call_at: airdrop\n")
      .replace("protocol: degen", "protocol: weak")
      .replace("      to: airdrop\n", "      to: airdrop\n      call: { claim: {} }\n");
    const path = join(folder, "weak.yaml");
    writeFileSync(path, weak);
    const { code, stdout } = await runRuleLint(["--mutate", path]);
    expect(stdout).toContain("weak/claim");
    expect(stdout).toContain("Claimed comes from an untrusted contract: the rule still stands; stands: weak/claim");
    expect(code).toBe(1);
  });

  it("ends with 2 for a path that is not there", async () => {
    const { code, stderr } = await runRuleLint(["--mutate", "no-such-folder"]);
    expect(code).toBe(2);
    expect(stderr).toContain("no-such-folder");
  });
});
