import { describe, expect, it } from "vitest";
import { toAddress } from "../../../../src/kernel/address.ts";
import { ChainSections } from "../../../../src/tools/lint/facts/chain-section.ts";
import { CitedFiles } from "../../../../src/tools/lint/facts/cited-file.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
const [pool, desk, late] = [party("a"), party("b"), party("c")];
const chains = new ChainSections({ id: 8453, name: "Base" }, [{ id: 42161, name: "Arbitrum" }]);
const first: Record<string, string> = {
  "one.json": JSON.stringify({ base: { POOL: pool }, arbitrum: { DESK: desk } }),
  "both.json": JSON.stringify({ arbitrum: { POOL: pool }, base: { POOL: pool } }),
  "lanes.json": JSON.stringify({ base: { arbitrum: { ramp: pool } }, arbitrum: { base: { ramp: desk } } }),
  "plain.txt": `pool ${pool}`,
  "list.json": JSON.stringify([
    { chainId: 8453, address: pool, decimals: 6 },
    { chainId: 42161, address: desk, decimals: 8 },
  ]),
  "empty.md": "",
  "lost.json": "unread",
};
const newest: Record<string, string> = { ...first, "late.json": late, "later.json": late };
const asked: string[] = [];

/** A clone with two commits. */
const clone = {
  resolve: (commit: string) => ({ c1: "c1", HEAD: "c2" })[commit],
  read(commit: string, path: string) {
    asked.push(`${commit}:${path}`);
    return (commit === "c1" ? first : newest)[path];
  },
  holders: (commit: string, text: string) =>
    Object.entries(commit === "c1" ? first : newest).flatMap(([path, body]) => (body.includes(text) ? path : [])),
};
const opened: string[] = [];
const openFiles = () =>
  new CitedFiles("/clones", chains, (dir, repository) => {
    opened.push(`${dir} ${repository}`);
    return repository === "ex/book" ? clone : undefined;
  });

/** The verdict on a citation `path#key` for a fact about the pool. */
function verdict(
  cited: string,
  fact: object = {},
  { commit = "c1", repository = "ex/book", files = openFiles() } = {},
) {
  const [path = "", key] = cited.split("#");
  const citation = { kind: "repository", repository, commit, path, key: key?.split("/") ?? [] } as const;
  const { status, detail } = files.check(citation, { kind: "contract", role: "pool", address: pool, ...fact } as never);
  return detail === "" ? status : `${status}: ${detail}`;
}

describe("an address in a cited file", () => {
  it.each<[string, object, string]>([
    ["one.json", {}, "found"],
    ["plain.txt", {}, "found"],
    ["one.json#base/pool", {}, "found"],
    ["one.json#base/desk", {}, "absent: one.json holds it, but not beside base/desk"],
    ["one.json", { address: desk }, "absent: one.json lists it for Arbitrum"],
    ["both.json", {}, "found"],
    ["both.json#arbitrum", {}, "absent: both.json lists it for Arbitrum"],
    ["plain.txt", { address: desk }, "moved: it is in one.json"],
    ["lanes.json", {}, "absent: lanes.json lists it for Arbitrum"],
    ["lanes.json#base/ramp", {}, "found"],
    ["none.json", {}, "moved: it is in one.json"],
    ["one.json", { address: late }, "moved: by now it is in late.json"],
    ["one.json", { address: party("d") }, "absent: no file of the repository holds it"],
    ["lost.json", {}, "uncheckable: the clone of ex/book lacks the content of lost.json"],
  ])("%s %j: %s", (cited, fact, told) => {
    expect(verdict(cited, fact)).toBe(told);
  });

  it("may be a wallet of an exchange, which is the same on every chain", () => {
    const wallet = (more: object) => verdict("one.json", { address: desk, kind: "name", role: "exchange", ...more });
    const elsewhere = "absent: one.json lists it for Arbitrum";
    expect([wallet({}), wallet({ role: "bridge" }), wallet({ kind: "role" })]).toEqual(["found", elsewhere, elsewhere]);
  });

  it.each<[string, object, string]>([
    ["list.json", { decimals: 6 }, "found"],
    ["list.json", { decimals: 8 }, "absent: list.json says that it has 6 decimals"],
    ["one.json", { decimals: 8 }, "found"],
    ["list.json", {}, "found"],
  ])("%s has the decimals of %j, if it tells any: %s", (cited, fact, told) => {
    expect(verdict(cited, { kind: "token", ...fact })).toBe(told);
  });
});

describe("a cited file about no address", () => {
  it.each<[string, string]>([
    ["one.json", "found"],
    ["empty.md", "found"],
    ["none.json", "absent: no none.json"],
    ["lost.json", "uncheckable: the clone of ex/book lacks the content of lost.json"],
  ])("only has to be there: %s is %s", (cited, told) => {
    expect(verdict(cited, { address: null })).toBe(told);
  });

  it.each<[string, string[], string]>([
    ["plain.txt", [], "found"],
    ["plain.txt", ["pool"], "found"],
    ["plain.txt", ["poo", "pool", "Pool"], "absent: plain.txt does not name poo, Pool"],
    ["empty.md", ["pool"], "absent: empty.md does not name pool"],
    ["none.json", ["pool"], "absent: no none.json"],
    ["lost.json", ["pool"], "uncheckable: the clone lacks the content of lost.json"],
  ])("%s has to name %j: %s", (cited, words, told) => {
    expect(verdict(cited, { words, address: null, kind: "abi" })).toBe(told);
  });
});

describe("clones of cited files", () => {
  it("must be there, with the commit", () => {
    expect(verdict("one.json", {}, { repository: "ex/other" })).toBe("uncheckable: no clone of ex/other");
    expect(verdict("one.json", {}, { commit: "c9" })).toBe("uncheckable: the clone of ex/book has no commit c9");
  });

  it("are opened once, and each file of them is read once", () => {
    const files = openFiles();
    for (const list of [opened, asked]) list.length = 0;
    for (const cited of ["one.json", "one.json#pool", "lost.json", "lost.json", "both.json"])
      verdict(cited, {}, { files });
    for (let i = 0; i < 2; i++) verdict("one.json", {}, { files, repository: "ex/other" });
    expect(opened).toEqual(["/clones ex/book", "/clones ex/other"]);
    expect(asked).toEqual(["c1:one.json", "c1:lost.json", "c1:both.json"]);
  });
});
