import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runVerifySources } from "../../../../src/tools/cli/verify-sources.ts";
import { commitFiles, git, makeFolder, oldPool, pool, router, writeRules } from "./book.ts";
import { book, noRecordings, openBook, verdict } from "./cited-book.ts";

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

  it("are looked for by name where the citation tells which the file has", async () => {
    expect(await verify("IBook.abi#Supply/Transfer")).toEqual({ status: "found", detail: "" });
    const detail = "IBook.abi does not name supply";
    expect(await verify("IBook.abi#Supply/supply")).toEqual({ status: "absent", detail });
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
