import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { signatureFacts } from "../../../src/rules/abi/signature.ts";
import { DocumentCache } from "../../../src/rules/documents/kept-file.ts";
import { schemaTexts } from "../../../src/rules/documents/validator.ts";
import { engineVersion } from "../../../src/rules/ruleset/document/engine-version.ts";
import { compileSources, listYaml, loadRuleset } from "../../../src/rules/ruleset/load.ts";
import { openRuleCache, withoutExampleList } from "../../../src/rules/ruleset/rule-cache.ts";
import { shippedWordingText } from "../../../src/rules/ruleset/wording/folder-wording.ts";
import { root } from "../../support/shared.ts";

const file = `protocol: sample
kind: standard
abi:
  Ping: "event Ping(address indexed who)"
rules:
  - id: ping
    action: contract_interaction
    anchor: { event: Ping }
    at: any
    subject: who
    say: "ping {contract}"
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
    expect(kept()).toHaveLength(2);
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

  it("is what the next start reads, whole or not at all", () => {
    const first = loadRuleset(rules, cache).ruleset.fingerprint;
    const path = join(cache, kept()[0] as string);
    const parts = JSON.parse(readFileSync(path, "utf8"));
    expect(Object.keys(parts).sort()).toEqual(["fingerprint", "signatures", "values", "wording"]);
    const signatures = { ...parts.signatures, "event Learned(address who)": Object.values(parts.signatures)[0] };
    const marked = { ...parts, fingerprint: "as it was kept", signatures };
    writeFileSync(path, JSON.stringify(marked));
    const again = loadRuleset(rules, cache);
    expect([again.ruleset.fingerprint, again.files.length, again.diagnostics]).toEqual(["as it was kept", 1, []]);
    expect(Object.keys(signatureFacts())).toContain("event Learned(address who)");
    for (const part of ["signatures", "wording", "values"]) {
      writeFileSync(path, JSON.stringify({ ...marked, [part]: undefined }));
      expect([part, loadRuleset(rules, cache).ruleset.fingerprint]).toEqual([part, first]);
    }
    writeFileSync(path, JSON.stringify({ ...marked, values: marked.values.slice(1) }));
    expect(loadRuleset(rules, cache).ruleset.fingerprint).toBe(first);
  });

  it("holds no examples, and is another one for another name or text", () => {
    const examples = "examples: [{ name: it, given: { from: alice }, not: ping }]\n";
    writeFileSync(join(rules, "sample.yaml"), `${file}${examples}`);
    loadRuleset(rules, cache);
    const { values } = JSON.parse(readFileSync(join(cache, kept()[0] as string), "utf8"));
    expect(values.map((value: object) => "examples" in value)).toEqual([false, false]);
    expect([withoutExampleList(null), withoutExampleList({ examples: [1], a: 1 })]).toEqual([null, { a: 1 }]);
    const names = [
      { file: "a", text: "b" },
      { file: "a", text: "c" },
      { file: "b", text: "b" },
    ].map((source) => {
      openRuleCache(cache, [source]).write({ values: [], signatures: {}, fingerprint: "", wording: { phrases: {} } });
      return kept().join();
    });
    expect(new Set(names).size).toBe(3);
  });
});

describe("the name of a cache", () => {
  it("hangs on the engine, the package's phrases and all schemas", () => {
    const schemas = ["rule", "actions", "verbs", "wording"].flatMap((name) => [
      ...schemaTexts(`${name}.schema.json`).values(),
    ]);
    const parts = [engineVersion, shippedWordingText(), ...schemas, "a", "b"];
    const whole = { values: [1], signatures: {}, fingerprint: "whole", wording: { phrases: {} } };
    new DocumentCache(cache, "rules", parts).write(whole);
    expect(openRuleCache(cache, [{ file: "a", text: "b" }]).read(() => true)).toEqual(whole);
    for (const i of parts.keys())
      expect(new DocumentCache(cache, "rules", parts.with(i, "x")).read(() => true)).toBe(undefined);
  });
});

describe("the files of a folder", () => {
  it("are those of YAML, at any depth, in the order of their paths", () => {
    mkdirSync(join(rules, "a", "deep"), { recursive: true });
    mkdirSync(join(rules, "folder.yaml"));
    for (const name of ["z.yml", "a/b.yaml", "a/deep/c.yaml", "B.yaml", "notes.txt", "x.yaml.bak"])
      writeFileSync(join(rules, name), "");
    expect(listYaml(rules).map((path) => path.slice(rules.length + 1))).toEqual([
      ...["B.yaml", "a/b.yaml", "a/deep/c.yaml", "actions.yaml", "sample.yaml", "z.yml"],
    ]);
  });
});

describe("what was read of a folder", () => {
  const actions =
    "protocol:\n  one: { definition: One thing happened, does: do one }\n  two: { definition: Two things happened, does: do two }\n";
  const verbs = "past:\n  take: took\n  give: gave\n";
  const wording = 'phrases: { summary: { sender: "Somebody" } }\n';
  const compile = (texts: Record<string, string>) =>
    compileSources(Object.entries(texts).map(([name, text]) => ({ file: `rules/${name}.yaml`, text })));
  const all = { actions, verbs, wording, sample: file.replace("contract_interaction", "one") };
  const print = (texts: Record<string, string>) => compile(texts).ruleset.fingerprint;

  it("is all its values by file", () => {
    const { values, diagnostics, files } = compile(all);
    expect(diagnostics).toEqual([]);
    expect([...values.keys()].sort()).toEqual(
      Object.keys(all)
        .map((name) => `rules/${name}.yaml`)
        .sort(),
    );
    expect(values.get("rules/verbs.yaml")).toEqual({ past: { take: "took", give: "gave" } });
    expect([values.get("rules/sample.yaml"), files.length]).toEqual([files[0]?.document, 1]);
  });

  it("has one fingerprint in whatever order it stands, and another for other words", () => {
    const turned = (text: string) => {
      const [first = "", one = "", two = "", ...rest] = text.split("\n");
      return [first, two, one, ...rest].join("\n");
    };
    const other = file.replaceAll("sample", "other").replace("contract_interaction", "two");
    const first = print({ ...all, other });
    expect(print({ other, ...all })).toBe(first);
    expect(print({ ...all, other, actions: turned(actions) })).toBe(first);
    expect(print({ ...all, other, verbs: turned(verbs) })).toBe(first);
    const placed = (first: number) =>
      compileSources([
        ...Object.entries(all).map(([name, text]) => ({ file: `rules/${name}.yaml`, text, folder: first })),
        { file: "rules/other.yaml", text: other, folder: 1 - first },
      ]).ruleset.fingerprint;
    expect([placed(0), placed(1)]).toEqual([first, first]);
    const changed = [
      { ...all, other, actions: actions.replace("happened", "came about") },
      { ...all, other, verbs: verbs.replace("gave", "given") },
      { ...all, other, wording: wording.replace("Somebody", "Nobody") },
      { ...all, other: other.replace("ping {", "call {") },
      all,
    ];
    expect(new Set([first, ...changed.map(print)]).size).toBe(changed.length + 1);
  });

  it("leaves out a file with a mistake, and no other", () => {
    const other = file.replaceAll("sample", "other").replace("contract_interaction", "two");
    const { ruleset, values } = compile({ ...all, other: other.replace("event: Ping", "event: Pong") });
    expect(ruleset.rules.map(({ id }) => id)).toEqual(["sample/ping"]);
    const broken = compile({ ...all, other: "protocol: [" });
    expect([broken.values.get("rules/other.yaml"), values.get("rules/other.yaml") === null]).toEqual([null, false]);
  });
});
