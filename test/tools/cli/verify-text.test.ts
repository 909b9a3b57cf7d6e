import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import { runVerifySources, verifyJson, verifyText } from "../../../src/tools/cli/verify-sources.ts";
import type { CheckedSource } from "../../../src/tools/lint/facts/verdict.ts";
import type { VerifyReport } from "../../../src/tools/lint/facts/verify-sources.ts";

const pool = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";

function checkedAs(status: CheckedSource["status"], detail = "", address: string | null = pool): CheckedSource {
  const about = { file: "a.yaml", kind: "contract", role: "pool", label: "Pool", sources: [] } as const;
  return { fact: { ...about, address: address === null ? null : toAddress(address) }, source: "here", status, detail };
}

const all = [
  checkedAs("found"),
  checkedAs("absent", "nowhere", null),
  checkedAs("uncheckable", "no clone"),
  checkedAs("moved", "it is there"),
];
const report = (checked: CheckedSource[], [two, one, none]: [number, number, number]): VerifyReport => ({
  checked,
  support: { two, one, none },
});
const rest = (text: string) => text.split("\n").slice(-3);

describe("what came of sources", () => {
  const counts =
    "4 sources and checks: 1 found, 1 moved, 1 absent, 1 uncheckable\n" +
    "8 contracts of rules: 5 (62.5 %) rest on two independent origins, or on one and the chain, 2 on one, 1 on none that can be checked\n";

  it("lists for people what is not where it should be, and everything when asked", () => {
    const absent = "absent       a.yaml  pool  Pool                                        here  nowhere";
    expect(verifyText(report(all, [5, 2, 1]), false)).toBe(
      `absent  a.yaml  pool  Pool                                        here  nowhere
moved   a.yaml  pool  ${pool}  here  it is there

${counts}`,
    );
    expect(verifyText(report(all, [5, 2, 1]), true)).toBe(
      `found        a.yaml  pool  ${pool}  here
${absent}
uncheckable  a.yaml  pool  ${pool}  here  no clone
moved        a.yaml  pool  ${pool}  here  it is there

${counts}`,
    );
  });

  it("is counts alone where nothing is wrong, also of no contract", () => {
    const many = Array.from({ length: 1_234 }, () => checkedAs("found"));
    expect(verifyText(report(many, [0, 0, 0]), false)).toBe(
      "1,234 sources and checks: 1,234 found, 0 moved, 0 absent, 0 uncheckable\n" +
        "0 contracts of rules: 0 (0.0 %) rest on two independent origins, or on one and the chain, 0 on one, 0 on none that can be checked\n",
    );
    expect(rest(verifyText(report([], [1_000, 1_000, 1_000]), true))[1]).toMatch(
      /^3,000 contracts of rules: 1,000 \(33\.3 %\) .*, 1,000 on one, 1,000 on none/,
    );
  });

  it("is one object for programs, with everything in it", () => {
    const about = { file: "a.yaml", kind: "contract", role: "pool", address: pool, label: "Pool", source: "here" };
    const text = verifyJson(report(all, [5, 2, 1]));
    expect(text.endsWith("}\n")).toBe(true);
    expect(JSON.parse(text)).toEqual({
      version: 1,
      counts: { found: 1, moved: 1, absent: 1, uncheckable: 1 },
      support: { two: 5, one: 2, none: 1 },
      sources: [
        { ...about, status: "found", detail: "" },
        { ...about, address: null, status: "absent", detail: "nowhere" },
        { ...about, status: "uncheckable", detail: "no clone" },
        { ...about, status: "moved", detail: "it is there" },
      ],
    });
  });
});

describe("a run over sources that cannot start", () => {
  it.each([
    [["--repos", "/no/such"], "rule-lint: there is no folder /no/such\nrule-lint verify-sources --help says more.\n"],
    [["--recordings", "/no/such"], expect.stringMatching(/^rule-lint: there is no folder \/no\/such\nrule-lint /)],
    [["--rpc", "ftp://a"], expect.stringMatching(/^rule-lint: --rpc expects an http or https address\nrule-lint /)],
    [["--rpc", "http:"], expect.stringMatching(/^rule-lint: --rpc expects an http or https address\nrule-lint /)],
    [["--repos", ".", "--rpc", "http://a", "--rpc", "b"], expect.stringMatching(/^rule-lint: --rpc expects/)],
    [["/no/such.yaml"], "rule-lint: there is no file or folder /no/such.yaml\n"],
  ])("%j", async (args, err) => {
    expect(await runVerifySources(args)).toEqual({ status: 2, out: "", err });
  });
});
