import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runVerifySources } from "../../../src/cli/verify-sources.ts";
import { commitFiles, git, makeFolder, oldPool, pool, router, writeRules } from "./book.ts";

/** No recording stands here. */
const noRecordings = makeFolder();

const book = {
  "addresses.json": JSON.stringify({ base: { POOL: pool }, arbitrum: { OLD_POOL: oldPool } }),
  "docs/README.md": `# Base\n\n| Router | ${router} |\n`,
};

/** A folder of clones with one repository, and the id of its commit. */
function openBook() {
  const repos = makeFolder();
  return { repos, commit: commitFiles(join(repos, "owner+book"), book) };
}

/** What is said of one source of the pool. */
async function verdict(source: string, options: readonly string[], address = pool) {
  const path = writeRules({ pool: { address, sources: [source] } });
  const { status, out } = await runVerifySources([path, "--json", "--recordings", noRecordings, ...options]);
  const { sources } = JSON.parse(out) as { sources: { status: string; detail: string }[] };
  return { exit: status, status: sources[0]?.status, detail: sources[0]?.detail };
}

describe("a cited file of a clone", () => {
  const { repos, commit } = openBook();
  const verify = (source: string, address?: string) => verdict(source, ["--repos", repos], address);

  it("is found when it holds the address in our section, beside its key", async () => {
    const found = { exit: 0, status: "found", detail: "" };
    expect(await verify(`owner/book@${commit}:addresses.json`)).toEqual(found);
    expect(await verify(`owner/book@${commit.slice(0, 10)}:addresses.json#base/pool`)).toEqual(found);
    expect(await verify(`owner/book@${commit}:docs/README.md#router`, router)).toEqual(found);
  });

  it("is absent when it lists the address for another chain", async () => {
    expect(await verify(`owner/book@${commit}:addresses.json`, oldPool)).toEqual({
      exit: 1,
      status: "absent",
      detail: "addresses.json lists it for arbitrum",
    });
  });

  it("is absent when the address does not stand beside the key", async () => {
    expect(await verify(`owner/book@${commit}:addresses.json#router`)).toEqual({
      exit: 1,
      status: "absent",
      detail: "addresses.json holds it, but not beside router",
    });
  });

  it("is moved when another file of the commit holds the address", async () => {
    const told = { exit: 1, status: "moved", detail: "it is in addresses.json" };
    expect(await verify(`owner/book@${commit}:docs/README.md`)).toEqual(told);
    expect(await verify(`owner/book@${commit}:no/such.file`)).toEqual(told);
  });

  it("is absent when no file holds the address", async () => {
    expect(await verify(`owner/book@${commit}:addresses.json`, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913")).toEqual({
      exit: 1,
      status: "absent",
      detail: "no file of the repository holds it",
    });
  });

  it("is uncheckable without the clone, the commit or the file's content", async () => {
    expect(await verify(`owner/other@${commit}:addresses.json`)).toEqual({
      exit: 0,
      status: "uncheckable",
      detail: "no clone of owner/other",
    });
    expect(await verify("owner/book@0123456789:addresses.json")).toEqual({
      exit: 0,
      status: "uncheckable",
      detail: "the clone of owner/book has no commit 0123456789",
    });
    const bare = makeFolder();
    const whole = commitFiles(join(bare, "owner", "book"), book);
    const blob = git(join(bare, "owner", "book"), "rev-parse", "HEAD:addresses.json");
    rmSync(join(bare, "owner", "book", ".git", "objects", blob.slice(0, 2), blob.slice(2)), { force: true });
    expect(await verdict(`owner/book@${whole}:addresses.json`, ["--repos", bare])).toEqual({
      exit: 0,
      status: "uncheckable",
      detail: "the clone of owner/book lacks the content of addresses.json",
    });
  });
});

describe("signatures that a file cites", () => {
  const contract =
    "interface Book {\n event Supply(address);\n event Transfer();\n function supply() external; function token0(); }";
  const repos = makeFolder();
  const commit = commitFiles(join(repos, "owner+book"), {
    ...book,
    "Book.sol": contract,
    "IBook.abi": contract.replace("supply", "deposit"),
  });
  const verify = async (file: string) => {
    const cited = `abi_source: owner/book@${commit}:${file}\n`;
    const path = writeRules({ pool: { address: pool, sources: [`owner/book@${commit}:addresses.json`] } }, cited);
    const { out } = await runVerifySources([path, "--json", "--recordings", noRecordings, "--repos", repos]);
    const { sources } = JSON.parse(out) as { sources: { kind: string; status: string; detail: string }[] };
    const { status, detail } = sources.find(({ kind }) => kind === "abi") ?? {};
    return { status, detail };
  };

  it("are absent where the file does not name one", async () => {
    expect(await verify("Book.sol")).toEqual({ status: "absent", detail: "Book.sol does not name token1" });
    expect(await verify("IBook.abi")).toEqual({ status: "absent", detail: "IBook.abi does not name supply, token1" });
    expect(await verify("None.sol")).toEqual({ status: "absent", detail: "no None.sol" });
  });

  it("are found where it names all", async () => {
    const path = join(repos, "owner+book");
    const whole = commitFiles(path, { "Book.sol": `${contract} function token1();` });
    const cited = `abi_source: owner/book@${whole}:Book.sol\n`;
    const rules = writeRules({ pool: { address: pool, sources: [`owner/book@${commit}:addresses.json`] } }, cited);
    const { out } = await runVerifySources([rules, "--json", "--recordings", noRecordings, "--repos", repos]);
    expect(JSON.parse(out).sources).toContainEqual(expect.objectContaining({ kind: "abi", status: "found" }));
  });
});

describe("a clone", () => {
  it("may be bare, in a folder of its owner, or a folder deeper", async () => {
    const { repos, commit } = openBook();
    const others = makeFolder();
    git(others, "clone", "--quiet", "--bare", join(repos, "owner+book"), join(others, "owner", "book"));
    git(others, "clone", "--quiet", "--bare", join(repos, "owner+book"), join(others, "deep+book", "clone"));
    for (const name of ["owner/book", "deep/book"])
      expect((await verdict(`${name}@${commit}:addresses.json`, ["--repos", others])).status).toBe("found");
  });

  it("tells where the newest commit has what the cited one has not", async () => {
    const { repos, commit } = openBook();
    const dir = join(repos, "owner+book");
    const late = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    commitFiles(dir, { "later.json": JSON.stringify({ base: late }) });
    expect(await verdict(`owner/book@${commit}:addresses.json`, ["--repos", repos], late)).toEqual({
      exit: 1,
      status: "moved",
      detail: "by now it is in later.json",
    });
    expect((await verdict(`owner/book@${commit}:addresses.json`, ["--repos", repos])).status).toBe("found");
  });
});

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
    [["--recordings", "test/lint/RL901/recordings"], expect.stringMatching(/^0x[0-9a-f]{64}\.json: /)],
    [["/no/such/file.yaml"], "there is no file or folder /no/such/file.yaml"],
    [["test/lint/RL204/bad.yaml"], "the rules have 1 mistake; `rule-lint` shows them"],
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
