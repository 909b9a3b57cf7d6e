import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadRuleset } from "../../src/ruleset/load.ts";
import { root } from "../support/shared.ts";

const file = `protocol: sample
kind: standard
abi:
  Ping: "event Ping(address indexed who)"
rules:
  - id: ping
    action: contract_interaction
    event: Ping
    who: args.who
    does: "ping {contract}"
`;

let dir: string;
let rules: string;
let cache: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "txgloss-cache-"));
  [rules, cache] = [join(dir, "rules"), join(dir, "cache")];
  mkdirSync(rules);
  writeFileSync(join(rules, "actions.yaml"), readFileSync(join(root, "rules/actions.yaml")));
  writeFileSync(join(rules, "sample.yaml"), file);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const kept = () => readdirSync(cache).sort();

describe("the cache of rule files", () => {
  it("gives the same rules as the files themselves", () => {
    const first = loadRuleset(rules, cache);
    const [name = ""] = kept();
    const again = loadRuleset(rules, cache);
    expect(again.ruleset.fingerprint).toBe(first.ruleset.fingerprint);
    expect(again.ruleset.fingerprint).toBe(loadRuleset(rules).ruleset.fingerprint);
    expect(again.ruleset.rules.map((rule) => [rule.id, rule.version()])).toEqual(
      first.ruleset.rules.map((rule) => [rule.id, rule.version()]),
    );
    expect(kept()).toEqual([name]);
    expect(again.files[0]?.source.rangeOf(["rules", 0, "id"]).start).toEqual({ line: 6, column: 9 });
  });

  it("is another one for other rules", () => {
    const first = loadRuleset(rules, cache);
    writeFileSync(join(rules, "sample.yaml"), file.replace("ping {", "call {"));
    expect(loadRuleset(rules, cache).ruleset.fingerprint).not.toBe(first.ruleset.fingerprint);
    expect(kept()).toHaveLength(1);
  });

  it("holds nothing that has a mistake", () => {
    writeFileSync(join(rules, "sample.yaml"), file.replace("event: Ping", "event: Pong"));
    for (const _ of [1, 2]) expect(loadRuleset(rules, cache).diagnostics.map(({ code }) => code)).toEqual(["RL302"]);
    expect(() => kept()).toThrow(/ENOENT/);
  });

  it("is passed over when it is damaged, and written anew", () => {
    const first = loadRuleset(rules, cache);
    for (const damage of ["", "[1", "[]", "null", '{"values":[1,2]}', '{"values":[],"signatures":{}}']) {
      writeFileSync(join(cache, kept()[0] ?? ""), damage);
      expect(loadRuleset(rules, cache).ruleset.fingerprint).toBe(first.ruleset.fingerprint);
    }
  });

  it("may be impossible to write", () => {
    writeFileSync(cache, "a file where the folder would be");
    expect(loadRuleset(rules, cache).ruleset.rules.map(({ id }) => id)).toEqual(["sample/ping"]);
  });
});
