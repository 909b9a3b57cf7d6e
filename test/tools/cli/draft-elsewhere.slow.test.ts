import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";
import { runRuleLintHere } from "../lint/rule-lint-here.ts";

const typed = {
  types: { Vote: [{ name: "voter", type: "address" }] },
  primaryType: "Vote",
  domain: { name: "Agora", chainId: 8453, verifyingContract: `0x${"11".repeat(20)}` },
  message: { voter: `0x${"a1".repeat(20)}` },
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "txgloss-elsewhere-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, "vote.json"), JSON.stringify(typed));
});

const run = (...args: string[]) => runRuleLintHere(args, { cwd: home });
const draft = (...more: string[]) => run("new", "agora-vote", "--message", "vote.json", ...more);

describe("rule-lint new where no whole set of rules is", { timeout: 60_000 }, () => {
  it.each<[string, string[], string[], string]>([
    ["nothing", [], [], "rules/agora-vote.yaml"],
    ["labels alone", ["labels"], [], "rules/agora-vote.yaml"],
    ["an empty folder of rules", ["rules"], [], "rules/agora-vote.yaml"],
    ["a family of ours", ["rules/own"], ["--family", "own"], "rules/own/agora-vote.yaml"],
    ["a family of the package", [], ["--family", "governance"], "rules/governance/agora-vote.yaml"],
  ])("beside %s writes here, and not where the program lies", async (_name, folders, more, path) => {
    for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
    const { code, stdout, stderr } = await draft(...more);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`drafted ${path}: message Vote is contract_interaction

Next: look at each of the 7 lines marked "# draft:" and delete it, then
  npx rule-lint ${path} --with shipped
  npx rule-lint --mutate ${path} --with shipped
  npx rule-lint order rules --of agora-vote --with shipped
  npx rule-lint golden rules --golden golden --write --with shipped
`);
    expect(readFileSync(join(home, path), "utf8")).toMatch(
      /^# yaml-language-server: \$schema=https:\/\/unpkg\.com\/txgloss\/schemas\/rule\.schema\.json\n/,
    );
    const written = readdirSync(join(root, "rules"), { recursive: true, encoding: "utf8" });
    expect(written.filter((name) => name.includes("agora-vote"))).toEqual([]);
  });

  it("passes lint as it says, beside the rules of the package", async () => {
    await draft();
    const checked = await run("rules/agora-vote.yaml", "--with", "shipped", "--fail-on", "warning");
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("0 errors, 0 warnings") });
  });

  it("knows the families, the protocols and the contracts of the package", async () => {
    expect(await draft("--family", "nowhere")).toMatchObject({
      ...{ code: 2, stderr: expect.stringMatching(/^rule-lint: --family is one of accounts, aggregators, /) },
    });
    expect(await run("new", "aerodrome", "--message", "vote.json")).toMatchObject({
      ...{ code: 2, stderr: expect.stringMatching(/rules\/dex\/aerodrome\.yaml is there already/) },
    });
    expect(existsSync(join(home, "rules"))).toBe(false);
  });

  it("says in a sentence that rules is a file", async () => {
    writeFileSync(join(home, "rules"), "x");
    expect(await draft()).toMatchObject({
      ...{ code: 2, stderr: "rule-lint: rules is a file, and a folder was expected\n" },
    });
  });

  it("reads a recording of ours, and names our folder where there is none", async () => {
    const asked = () => run("new", "shop", "--tx", hashOf(77), "--rpc", "http://127.0.0.1:9");
    expect((await asked()).stderr).toContain("or put a recording into recordings\n");
    mkdirSync(join(home, "recordings"));
    writeFileSync(join(home, "recordings", `${hashOf(77)}.json`), JSON.stringify(caseFileOf(hashOf(77))));
    const { stderr } = await asked();
    expect(stderr).not.toContain("asking");
    mkdirSync(join(home, "test/transactions"), { recursive: true });
    expect((await asked()).stderr).toBe(stderr);
  });
});
