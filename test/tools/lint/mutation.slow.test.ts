import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { unexcused } from "../../../src/tools/lint/command.ts";
import { mutateRules } from "../../../src/tools/lint/mutation/mutate.ts";
import { defaultRecordings, findSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";
import { runRuleLintHere } from "./rule-lint-here.ts";

const folder = mkdtempSync(join(tmpdir(), "txgloss-mutants-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the shipped rules", () => {
  const report = mutateRules(findSources([join(root, "rules")]), defaultRecordings());

  it("believe no untrusted contract", () => {
    expect(report.survivors.filter(({ kind }) => kind === "foreign-emitter")).toEqual([]);
    expect(report.kinds["foreign-emitter"].mutants).toBeGreaterThan(1_000);
    expect(report.rules.length).toBeGreaterThan(500);
  });

  it("hide no money and no right that somebody lost, or say why", () => {
    expect(unexcused(report)).toEqual([]);
    const kinds = [
      "diverted-payment",
      "added-theft",
      "diverted-proceeds",
      "taken-proceeds",
      "added-grant",
      "side-show",
    ] as const;
    for (const kind of [...kinds, "other-beneficiary"] as const)
      expect([kind, report.kinds[kind].mutants > 600]).toEqual([kind, true]);
    expect(report.kinds["other-account"].mutants).toBeGreaterThan(60);
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
    const { code, stdout } = await runRuleLintHere(["--mutate", "rules/dex/gauges.yaml", "rules/rewards"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^foreign-emitter\s+100\.0 % {2}\d+ of \d+ killed$/m);
    expect(stdout).toMatch(/^forged-operation\s+(?:\d+\.\d %|-) {2}\d+ of \d+ killed$/m);
    expect(stdout).toMatch(/^all .*\d+ rules$/m);
  });

  it("ends with 1 and names the rule that believes an untrusted contract", async () => {
    const weak = readFileSync(join(root, "rules/rewards/degen.yaml"), "utf8")
      .replace(
        "    anchor: { event: Claimed }\n    at: airdrop\n",
        "    anchor: { event: Claimed, within: claim, calls_at: airdrop }\n    at: any\n",
      )
      .replace("protocol: degen", "protocol: weak")
      .replace("      to: airdrop\n", "      to: airdrop\n      call: { claim: {} }\n");
    const path = join(folder, "weak.yaml");
    writeFileSync(path, weak);
    const { code, stdout } = await runRuleLintHere(["--mutate", path]);
    expect(stdout).toContain("weak/claim");
    expect(stdout).toContain("Claimed comes from an untrusted contract: the rule still stands; stands: weak/claim");
    expect(code).toBe(1);
  });

  it("ends with 2 for a path that is not there", async () => {
    const { code, stderr } = await runRuleLintHere(["--mutate", "no-such-folder"]);
    expect(code).toBe(2);
    expect(stderr).toContain("no-such-folder");
  });
});
