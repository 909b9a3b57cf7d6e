import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadEngine } from "../../../src/engine/engine.ts";
import { loadRuleset } from "../../../src/rules/ruleset/load.ts";
import { readConfig } from "../../../src/serve/settings/config.ts";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { root } from "../../support/shared.ts";

const shipped = join(root, "rules");
const shippedLabels = join(root, "labels");
const payer = "0x1111111111111111111111111111111111111111";
const acme = `protocol: acme
name: Acme
kind: protocol
site: https://example.com
source: "https://example.com/acme 2026-11-22"
contracts:
  payroll: { Acme payroll: "${payer}" }
abi_source: "https://example.com/acme 2026-11-22"
abi:
  Paid: "event Paid(address indexed payer, address worker)"
rules:
  - id: paid
    action: payroll_run
    anchor: { event: Paid }
    at: payroll
    subject: payer
    say: "pay salaries"
    example: { to: payroll, data: "0x12345678", logs: [{ Paid: { at: payroll, payer: alice, worker: bob } }] }
`;
const actions = "protocol:\n  payroll_run: { definition: A company paid its people, does: pay salaries }\n";

let own: string;
const write = (name: string, text: string) => writeFileSync(join(own, name), text);
beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), "txgloss-own-"));
  mkdirSync(join(own, "rules"));
  mkdirSync(join(own, "labels"));
  write("rules/acme.yaml", acme);
  write("rules/actions.yaml", actions);
});
afterEach(() => rmSync(own, { recursive: true }));

const load = () => loadRuleset([shipped, join(own, "rules")]);
const messages = () => load().diagnostics.map(({ file, code, message }) => [file.split("/").at(-1), code, message]);

describe("rules of several folders", { timeout: 120_000 }, () => {
  it("add rules and action types to those of the folders before", () => {
    const env = {
      RULES_DIR: `${shipped},${join(own, "rules")}`,
      LABELS_DIR: `${shippedLabels},${join(own, "labels")}`,
    };
    write(
      "labels/names.yaml",
      `schema: names/v1\nsources: { acme: "https://example.com/acme 2026-11-22" }\nnames:\n  - { address: "${payer}", label: Acme treasury, category: infrastructure, source: acme }\n`,
    );
    const { engine, diagnostics } = loadEngine(readConfig(env));
    expect(diagnostics).toEqual([]);
    expect(engine.actionTypes).toEqual(expect.arrayContaining(["payroll_run", "swap"]));
    expect(engine.catalog.protocols.map(({ id }) => id)).toEqual(expect.arrayContaining(["acme", "uniswap-v3"]));
    expect(engine.labels.name(payer)?.label).toBe("Acme treasury");
    const alone = loadEngine(readConfig({ RULES_DIR: shipped }));
    expect(engine.ruleset).not.toBe(alone.engine.ruleset);
  });

  it("may say phrases in other words, the last folder's", () => {
    write("rules/wording.yaml", 'phrases:\n  gas:\n    none: "nothing at all"\n');
    expect(messages().map(([file]) => file)).toEqual(["wording.yaml"]);
    const text = readFileSync(join(shipped, "wording.yaml"), "utf8");
    const [, section = "", name = ""] = /^ {2}(\w+):\n {4}(\w+): "[^"{}]+"$/m.exec(text) ?? [];
    write("rules/wording.yaml", `phrases:\n  ${section}:\n    ${name}: "In other words"\n`);
    expect(messages()).toEqual([]);
    expect(load().wording.phrases[section]?.[name]).toBe("In other words");
  });

  it("may not take an id or an action type that is taken", () => {
    cpSync(join(shipped, "nft/highlight.yaml"), join(own, "rules/highlight.yaml"));
    write("rules/actions.yaml", `${actions}  swap: { definition: Another swap, does: swap tokens }\n`);
    expect(messages()).toEqual([
      ["actions.yaml", "RL207", "the action `swap` is in another folder already"],
      ["highlight.yaml", "RL208", expect.stringMatching(/^`highlight` is defined in .+highlight\.yaml already/)],
    ]);
  });

  it("are refused where a folder is not there", () => {
    expect(() => readConfig({ RULES_DIR: `${shipped},${join(own, "missing")}` })).toThrow("expected a directory");
  });
});

describe("rule-lint --with", { timeout: 120_000 }, () => {
  it("checks a private folder beside the shipped rules, and tells its mistakes alone", () => {
    expect(runCommand([join(own, "rules"), "--with", "shipped"], false)).toMatchObject({
      status: 0,
      out: "0 errors, 0 warnings in 2 files\n",
    });
    write("rules/acme.yaml", acme.replace("action: payroll_run", "action: payrol_run"));
    const { status, out } = runCommand([join(own, "rules"), "--with", "shipped"], false);
    expect([status, out]).toEqual([1, expect.stringContaining("payroll_run")]);
  });
});
