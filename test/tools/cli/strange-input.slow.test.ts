import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { draftRuleFile } from "../../../src/tools/cli/new-rule.ts";
import { runVerifySources } from "../../../src/tools/cli/verify-sources.ts";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";
import { runHere } from "./run-here.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-strange-"));
afterAll(() => rmSync(dir, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());
const given = (name: string, text: string) => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};
const folder = join(dir, "folder");
mkdirSync(folder);
const [empty, object] = [given("empty.json", ""), given("object.json", "{}")];
const red = given("red.json", "\u001b[31mred\u009b\u2028");
const rule = join(root, "rules/nft/rodeo.yaml");
const noFolder = `${object} is a file, and a folder was expected`;

describe("txgloss", () => {
  it.each<[string, string[], string]>([
    ["an empty file", ["replay", empty], `${empty} is not a case file: it is empty\n`],
    ["another file", ["replay", object], `${object} is not a case file: it must have required property 'version'\n`],
    ["an empty path", ["replay", ""], "the path is empty\n"],
    ["a file for recordings", ["record", hashOf(1), "--dir", object], `${noFolder}\n`],
    [
      "a folder without descriptors",
      ["import-erc7730", folder],
      `there is no descriptor, which is a JSON file, in ${folder}\n`,
    ],
  ])("tells %s in a sentence", async (_name, args, sentence) => {
    const { status, out, err } = await runHere(...(args as [string]));
    expect([status, out, err.slice(0, `txgloss: ${sentence}`.length)]).toEqual([2, "", `txgloss: ${sentence}`]);
  });

  it("shows nothing of a file that a terminal would obey", async () => {
    const { status, err } = await runHere("replay", red);
    expect([status, err.split("\n")[0]]).toEqual([2, expect.stringContaining("is not a case file: ")]);
    expect(err.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}]/u);
  });
});

describe("rule-lint", () => {
  it.each<[string, string[], string]>([
    ["an empty path", [""], "the path is empty\n"],
    ["a file for recordings", ["--recordings", object, rule], `${noFolder}\nrule-lint check --help says more.\n`],
    [
      "no recordings",
      ["--recordings", join(dir, "no"), rule],
      `there is no folder ${join(dir, "no")}\nrule-lint check --help says more.\n`,
    ],
    [
      "a file on the way",
      ["compile", rule, "--out", join(object, "a")],
      `${noFolder}\nrule-lint compile --help says more.\n`,
    ],
  ])("tells %s in a sentence", (_name, args, sentence) => {
    expect(runCommand(args, false)).toEqual({ status: 2, out: "", err: `rule-lint: ${sentence}` });
  });

  it("tells in a sentence that clones lie in a folder", async () => {
    const err = `rule-lint: ${noFolder}\nrule-lint verify-sources --help says more.\n`;
    expect(await runVerifySources([rule, "--repos", object])).toEqual({ status: 2, out: "", err });
  });

  it("says that no endpoint answered, where sources are looked up on chain", async () => {
    const asked = await runVerifySources([rule, "--recordings", folder, "--rpc", "http://127.0.0.1:9"]);
    expect(asked).toMatchObject({ status: 0, err: "rule-lint: no endpoint answered (asked: 127.0.0.1:9)\n" });
    expect(await runVerifySources([rule, "--recordings", folder])).toMatchObject({ status: 0, err: "" });
  });
});

describe("rule-lint new", () => {
  const path = join(dir, `${hashOf(7)}.json`);
  const broken = ["shop", "--tx", hashOf(7), "--recordings", dir];
  const draft = (...args: string[]) => draftRuleFile(args, () => {});

  it.each([
    ["[1,2", `${path} is not a case file: Expected ',' or ']'`],
    ["{}", `${path} is not a case file: it must have`],
    ["", `${path} is not a case file: it is empty\n`],
  ])("tells a recording that is none in a sentence: %s", async (text, sentence) => {
    writeFileSync(path, text);
    const { status, err } = await draft(...broken);
    expect([status, err.startsWith(`rule-lint: ${sentence}`), err.split("\n").length]).toEqual([2, true, 2]);
  });

  it("names a recording that is a folder", async () => {
    rmSync(path);
    mkdirSync(path);
    const err = `rule-lint: ${path} is a folder, and a file was expected\n`;
    expect(await draft(...broken)).toEqual({ status: 2, out: "", err });
  });

  it("tells a setting that cannot be used", async () => {
    vi.stubEnv("RPC_URLS", "nope");
    const { status, err } = await draft("shop", "--tx", hashOf(8), "--recordings", dir);
    expect([status, err]).toEqual([
      2,
      expect.stringMatching(/^rule-lint: The configuration has 1 problem:\n {2}RPC_URLS: .+\n$/),
    ]);
  });

  it("names the file that holds no typed data", async () => {
    const err = `rule-lint: ${object}: The typed data cannot be read: \`types\` is no object.\n`;
    expect(await draft("shop", "--message", object)).toEqual({ status: 2, out: "", err });
  });

  it("refuses an action that there is not for a message too", async () => {
    const types = { Vote: [{ name: "voter", type: "address" }] };
    const typed = { types, primaryType: "Vote", domain: { chainId: 8453 }, message: { voter: `0x${"a1".repeat(20)}` } };
    const { status, err } = await draft(
      "strange-shop",
      "--message",
      given("vote.json", JSON.stringify(typed)),
      "--action",
      "swop",
    );
    expect([status, err.split("\n")[0]]).toEqual([
      2,
      'rule-lint: rules/actions.yaml has no action "swop"; did you mean swap?',
    ]);
  });
});
