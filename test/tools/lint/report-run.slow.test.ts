import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { root } from "../../support/shared.ts";
import { runRuleLintHere } from "./rule-lint-here.ts";
import { sarifShape } from "./sarif-shape.ts";

const isSarif = new Ajv2020({ strict: true }).compile(sarifShape);

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "txgloss-reports-"));
  for (const folder of ["rules/dex", "rules/an odd & folder", "labels", "empty", "prose"])
    mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, "prose/notes.txt"), "no rules here\n");
  writeFileSync(join(dir, "rules/actions.yaml"), readFileSync(join(root, "rules/actions.yaml")));
  const good = readFileSync(join(root, "test/tools/lint/RL204/good.yaml"), "utf8");
  writeFileSync(
    join(dir, "rules/dex/one.yaml"),
    good.replace("protocol: good", "protocol: one").replace("at: pool", "at: pol"),
  );
  const other = good
    .replace("protocol: good", "protocol: two")
    .replaceAll("0xA238Dd80C259a72e81d7e4664a9801593F98d1c5", "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E");
  writeFileSync(
    join(dir, "rules/an odd & folder/two.yaml"),
    other.replace("lending_supply", "lending_suply").replace("site: https://example.org\n", ""),
  );
  writeFileSync(join(dir, "labels/tokens.yaml"), "schema: tokens/v1\nsources: {}\ntokenz: []\ntokens: []\n");
});
afterAll(() => rmSync(dir, { recursive: true }));

const run = (...args: string[]) => runRuleLintHere(args, { cwd: dir });

/** File, code and place of each finding, in the words of the format. */
const expected = [
  "labels/tokens.yaml LB107 3:1",
  "rules/an odd & folder/two.yaml RL204 10:13",
  "rules/dex/one.yaml RL302 13:9",
];

describe("a run over several files", () => {
  it("is valid SARIF with every finding in its file, at its place", async () => {
    const { code, stdout, stderr } = await run("rules", "labels", "--format", "sarif");
    expect([code, stderr]).toEqual([1, ""]);
    const document = JSON.parse(stdout);
    expect(isSarif(document), JSON.stringify(isSarif.errors)).toBe(true);
    const [{ results, tool }] = document.runs;
    // biome-ignore lint/suspicious/noExplicitAny: its shape is checked above.
    const told = results.map(({ ruleId, locations: [{ physicalLocation: at }] }: any) => {
      return `${decodeURI(at.artifactLocation.uri).replaceAll("%26", "&")} ${ruleId} ${at.region.startLine}:${at.region.startColumn}`;
    });
    expect(told).toEqual(expected);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(
      results.every(
        ({
          locations: [
            {
              physicalLocation: { region: r },
            },
          ],
        }: {
          locations: [{ physicalLocation: { region: Record<string, number> } }];
        }) => (r.endLine ?? 0) > (r.startLine ?? 0) || (r.endColumn ?? 0) >= (r.startColumn ?? 1),
      ),
    ).toBe(true);
  });

  it("is JUnit with a suite for each file, whose counts are those of its tests", async () => {
    const { code, stdout } = await run("rules", "labels", "--format", "junit");
    expect(code).toBe(1);
    const suites = [
      ...stdout.matchAll(/<testsuite name="([^"]*)" tests="(\d+)" failures="(\d+)"[^>]*>([\s\S]*?)<\/testsuite>/g),
    ];
    for (const [, , tests, failures, body] of suites) {
      expect(body?.match(/<testcase /g)).toHaveLength(Number(tests));
      expect(body?.match(/<failure /g) ?? []).toHaveLength(Number(failures));
    }
    const sum = (column: number) => String(suites.reduce((total, suite) => total + Number(suite[column]), 0));
    expect(stdout).toContain(`<testsuites name="rule-lint" tests="${sum(2)}" failures="${sum(3)}" errors="0">`);
    const names = [...stdout.matchAll(/<testcase classname="([^"]*)" name="([^"]*)" file/g)].map(
      ([, file, name]) => `${file} ${name}`,
    );
    expect(names.map((name) => name.replace("&amp;", "&"))).toEqual(expected);
  });

  it.each(["pretty", "json", "github", "sarif", "junit"])("ends with the same status in %s", async (format) => {
    const status = (...args: string[]) => runCommand([...args, "--format", format], false).status;
    const warned = join(root, "test/tools/lint/RL206/bad.yaml");
    expect([
      status(join(dir, "rules")),
      status(warned),
      status(warned, "--fail-on", "warning"),
      status(join(dir, "rules/actions.yaml")),
    ]).toEqual([1, 0, 1, 0]);
  });
});

describe("status 2, one line and no report", () => {
  it.each(["empty", "prose"])("for a folder without YAML: %s", async (folder) => {
    for (const format of ["pretty", "sarif", "junit"])
      expect(await run(folder, "--format", format)).toEqual({
        code: 2,
        stdout: "",
        stderr: `rule-lint: there is no YAML file in ${folder}\n`,
      });
  });

  it("for a path that cannot be read", async () => {
    const path = join(dir, "pipe.yaml");
    const server = createServer().listen(path);
    const { code, stdout, stderr } = await run("pipe.yaml", "rules");
    server.close();
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^rule-lint: pipe\.yaml cannot be read \(E[A-Z]+\)\n$/);
  });

  it("for --mutate over files that the loader refuses", async () => {
    const { code, stdout, stderr } = await run("--mutate", "rules");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^rule-lint: the rules have 2 mistakes; `rule-lint` shows them\n$/);
  });

  it("for a list that cannot be written", async () => {
    const { code, stderr } = await run("order", "rules/actions.yaml", "--out", "prose/notes.txt/order");
    expect([code, stderr.split("\n").length]).toEqual([2, 2]);
  });
});

it("writes what places the rules to a file for each rule file", async () => {
  const good = join(root, "test/tools/lint/RL204/good.yaml");
  expect(await run("order", good, "--out", "new/order")).toEqual({ code: 0, stdout: "new/order\n", stderr: "" });
  expect(readFileSync(join(dir, "new/order/RL204/good.txt"), "utf8")).toBe(
    "lending_supply (tier protocol)\n  320  good/supply: event Supply at pool\n",
  );
  expect(readFileSync(join(dir, "new/order/actions.txt"), "utf8")).toContain("\n  3  lending_supply\n");
});
