import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { listUnnamed, openSurvey, scaffold } from "../../../src/tools/lint/scaffold/scaffold.ts";
import type { PublishedFacts } from "../../../src/tools/lint/scaffold/survey.ts";
import type { LintSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";
import { shippedTables } from "../../support/shipped-tables.ts";
import { build } from "./given-example.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");
const labels = ["labels/tokens.yaml", "labels/system.yaml"].map((path) => ({ path, text: read(path) }));
const desk = `protocol: desk
name: Desk
kind: protocol
source: ex/book@0123456:A.md
contracts:
  desk: { The desk: "0x1111111111111111111111111111111111111111" }
abi:
  run: "function run(uint256 size)"
  Held: "event Held(address args, uint8 count)"
rules:
  - { id: hold, action: stake, anchor: { event: Held }, at: desk, say: "hold it" }
`;
const nothing: PublishedFacts = { items: [], published: new Map(), role: null, action: null };
const dir = mkdtempSync(join(tmpdir(), "txgloss-drafted-"));
afterAll(() => rmSync(dir, { recursive: true }));

function drafted(given: Record<string, unknown>, rules: LintSources["rules"] = [], findings = nothing) {
  const caseFile = build({ from: "alice", ...given });
  writeFileSync(join(dir, `${caseFile.tx_hash}.json`), JSON.stringify(caseFile));
  const sources = {
    rules: [...shippedTables, { file: "rules/desk.yaml", text: desk }, ...rules],
    labels,
    wanted: new Set<string>(),
  };
  const input = openSurvey(caseFile, sources);
  const order = { protocol: "shop", file: "rules/new/shop.yaml", caseFile, recordingsDir: dir };
  return { unnamed: listUnnamed(input), result: scaffold(order, { input, findings }) };
}

const run = { run: { size: 1 } };
const at = "0x1111111111111111111111111111111111111111";
const held = (emitter: string) => ({ Held: { at: emitter, args: "bob", count: 1 } });
const other = (rule: string) => ({
  file: "rules/other.yaml",
  text: `protocol: other
name: Other
kind: protocol
site: https://example.org
abi: { run: "function run(uint256 size)" }
rules:
  - { id: one, say: "send it", anchor: { call: run }, at: any, ${rule} }
`,
});
const summary = (result: ReturnType<typeof scaffold>) =>
  "problem" in result ? result.problem : `${result.anchor} is ${result.action}`;

describe("a drafted rule file", () => {
  it("says what was called, and passes lint", () => {
    const { unnamed, result } = drafted({ to: "pool", call: run });
    expect(unnamed).toEqual(["0xa238dd80c259a72e81d7e4664a9801593f98d1c5"]);
    if ("problem" in result) throw new Error(result.problem);
    const { text, ...told } = result;
    expect(told).toEqual({ action: "contract_interaction", anchor: "call run at entry" });
    const lines = text.split("\n").filter((line) => !/^#|# draft:/.test(line));
    expect(lines).toEqual([
      ...["protocol: shop", "name: Shop", "kind: protocol"],
      "site: https://basescan.org/address/0xA238Dd80C259a72e81d7e4664a9801593F98d1c5",
      ...["contracts:", "  entry:", expect.stringMatching(/^ {4}source: tx:0x[0-9a-f]{64}$/)],
      '    "Shop entry": "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5"',
      ...["abi:", '  run: "function run(uint256 size)"', "rules:", "  - id: contract-interaction"],
      ...["    action: contract_interaction", "    anchor: { call: run }", "    at: entry"],
      ...["    money: { gives: nothing, gets: nothing }", '    say: "use {protocol}"', "    tried: same"],
      ...[expect.stringMatching(/^ {4}example: \{ tx: "0x[0-9a-f]{64}" \}$/), ""],
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      "a call that reverted",
      { to: "pool", call: run, status: "reverted" },
      "the transaction reverted; take one that went through",
    ],
    [
      "what files name",
      { to: at, call: run, logs: [held(at)] },
      "every contract of the transaction is named by a file already; today desk/hold stands. Add the rule to that file",
    ],
    [
      "what calls nobody",
      { to: "bob" },
      "every contract of the transaction is named by a file already; today no rule stands. Add the rule to that file",
    ],
    [
      "an event that nothing ties to the sender",
      { to: at, call: run, logs: [held(at), held("pool")] },
      "no rule could be drafted that passes: its contracts were neither called nor heard; today desk/hold stands",
    ],
  ])("is none of %s", (_what, given, problem) => {
    expect(drafted(given).result).toEqual({ problem });
  });

  it("is none where no draft passes: the first mistake of the first is told", () => {
    const { result } = drafted({ to: "pool", call: run }, [], { ...nothing, action: "bogus" });
    expect(summary(result)).toBe(
      "no rule could be drafted that passes: RL204 `bogus` is no action type; today no rule stands",
    );
  });

  it("makes no error in other files; what is wrong there already is not its own", () => {
    const example = `example: { to: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", call: { run: { size: "1" } } }`;
    const beside = (rule: string) => summary(drafted({ to: "pool", call: run }, [other(rule)]).result);
    expect(beside(`action: erc20_transfer, ${example}`)).toMatch(
      /^no rule could be drafted that passes: RL602 .*`shop\/contract-interaction` stands; today other\/one stands$/,
    );
    expect(beside("action: erc20_transfer")).toBe("call run at entry is contract_interaction");
    expect(beside("action: bogus")).toBe("call run at entry is contract_interaction");
  });
});
