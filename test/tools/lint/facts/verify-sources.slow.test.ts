import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runVerifySources } from "../../../../src/tools/cli/verify-sources.ts";
import { commitFiles, makeFolder, oldPool, pool, writeRules } from "./book.ts";
import { noRecordings, openBook, verdict } from "./cited-book.ts";

describe("label files", () => {
  it("are looked up too, with the decimals that a list tells", async () => {
    const list = JSON.stringify([{ chainId: 8453, address: pool, symbol: "EXA", decimals: 6 }]);
    const repos = makeFolder();
    const commit = commitFiles(join(repos, "owner+lists"), {
      "list.json": list,
      "cex.json": JSON.stringify({ arbitrum: oldPool }),
    });
    const path = join(makeFolder(), "tokens.yaml");
    const verifyToken = async (decimals: number) => {
      writeFileSync(
        path,
        `schema: tokens/v1\nsources: { list: "owner/lists@${commit}:list.json" }\ntokens:\n` +
          `  - { address: "${pool}", symbol: EXA, name: Example, decimals: ${decimals}, well_known: false, source: list }\n`,
      );
      const { out } = await runVerifySources([path, "--json", "--repos", repos, "--recordings", noRecordings]);
      return JSON.parse(out).sources.map(
        ({ status, detail }: { status: string; detail: string }) => `${status} ${detail}`,
      );
    };
    expect(await verifyToken(6)).toEqual(["found "]);
    expect(await verifyToken(18)).toEqual(["absent list.json says that it has 6 decimals"]);
    writeFileSync(
      path,
      `schema: names/v1\nsources: { list: "owner/lists@${commit}:cex.json" }\nnames:\n` +
        `  - { address: "${oldPool}", label: Somebody 1, category: exchange, source: list }\n` +
        `  - { address: "${oldPool}", label: Somebody 1, category: bridge, source: list }\n`,
    );
    const { out } = await runVerifySources([path, "--json", "--repos", repos, "--recordings", noRecordings]);
    expect(JSON.parse(out).sources.map(({ status }: { status: string }) => status)).toEqual(["found", "absent"]);
  });
});

describe("sources that nobody can look up here", () => {
  it.each([
    ["https://example.org/addresses 2026-01-31", "pages are not opened"],
    ["unverified: told by a user", "it says so itself"],
    ["owner/book@0123456789:addresses.json", "no folder of clones was given"],
    [`tx:0x${"ab".repeat(32)}#Supply`, "no recording and no endpoint"],
    [`block:12#code=0x${"ab".repeat(32)}`, "no endpoint was given"],
  ])("%s: %s", async (source, detail) => {
    expect(await verdict(source, [])).toEqual({ exit: 0, status: "uncheckable", detail });
  });

  it("what is no source is absent", async () => {
    expect(await verdict("public lists", [])).toEqual({
      exit: 1,
      status: "absent",
      detail: "it has none of the forms of a source",
    });
  });
});

describe("the report", () => {
  const { repos, commit } = openBook();
  const cited = `owner/book@${commit}:addresses.json`;
  const path = writeRules({
    pool: { address: pool, sources: [cited, `other/book@${commit}:addresses.json`] },
    old_pool: { address: oldPool, sources: [cited] },
  });
  const args = [path, "--repos", repos, "--recordings", noRecordings];

  it("lists what is not there and counts the rest", async () => {
    const { status, out, err } = await runVerifySources(args);
    expect({ status, err }).toEqual({ status: 1, err: "" });
    const [row = "", blank, ...counts] = out.split("\n");
    expect(row.split(/ {2,}/)).toEqual([
      "absent",
      expect.stringMatching(/example\.yaml$/),
      "old_pool",
      oldPool,
      cited,
      "addresses.json lists it for arbitrum",
    ]);
    expect(blank).toBe("");
    expect(counts).toEqual([
      "3 sources and checks: 1 found, 0 moved, 1 absent, 1 uncheckable",
      "2 contracts of rules: 1 (50.0 %) rest on two independent origins, or on one and the chain, 0 on one, 1 on none that can be checked",
      "",
    ]);
  });

  it("lists everything when asked", async () => {
    const { out } = await runVerifySources([...args, "--all"]);
    expect(
      out
        .split("\n")
        .slice(0, 3)
        .map((line) => line.split(" ")[0]),
    ).toEqual(["found", "uncheckable", "absent"]);
  });

  it("is one JSON object for programs", async () => {
    const { out } = await runVerifySources([...args, "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      counts: { found: 1, moved: 0, absent: 1, uncheckable: 1 },
      support: { two: 1, one: 0, none: 1 },
      sources: [
        { kind: "contract", role: "pool", address: pool, label: "Example pool", source: cited, status: "found" },
        {},
        {},
      ],
    });
  });
});

describe("a run that cannot start", () => {
  it.each([
    [["--repos", "/no/such/folder"], "there is no folder /no/such/folder"],
    [["--recordings", "/no/such/folder"], "there is no folder /no/such/folder"],
    [["--rpc", "not an address"], "--rpc expects an http or https address"],
    [["--recordings", "test/tools/lint/RL901/recordings"], expect.stringMatching(/^0x[0-9a-f]{64}\.json: /)],
    [["/no/such/file.yaml"], "there is no file or folder /no/such/file.yaml"],
    [["test/tools/lint/RL204/bad.yaml"], "the rules have 1 mistake; `rule-lint` shows them"],
  ])("%j: %s", async (args, message) => {
    const { status, out, err } = await runVerifySources(args);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err.split("\n")[0]?.replace("rule-lint: ", "")).toEqual(message);
  });

  it("says what it takes", async () => {
    const { status, err } = await runVerifySources(["--what"]);
    expect(status).toBe(2);
    expect(err).toMatch(/there is no option --what here; .+\nrule-lint verify-sources --help says more\.\n$/);
  });
});
