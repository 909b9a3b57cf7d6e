import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openClone } from "../../../../src/tools/lint/facts/git-clone.ts";
import { commitFiles, git, makeFolder } from "./book.ts";

const repos = makeFolder();
const own = join(repos, "owner+book");
const files = {
  "a file.txt": "The Pool is here\n",
  "docs/b.md": "pool and a.c\n",
  "docs/c.md": "abc\n",
  "image.bin": "pool \0 pool\n",
};
const commit = commitFiles(own, files);
const clone = openClone(repos, "owner/book");

describe("a clone", () => {
  it("knows its commits by their whole id", () => {
    const ids = [commit, commit.slice(0, 8), "HEAD", "0123456789", "no-such-branch", ""].map((id) =>
      clone?.resolve(id),
    );
    expect(ids).toEqual([commit, commit, commit, undefined, undefined, undefined]);
  });

  it("gives the text of a file as it stands there", () => {
    const read = (path: string) => clone?.read(commit, path);
    expect([read("a file.txt"), read("docs/b.md"), read("b.md")]).toEqual([
      files["a file.txt"],
      files["docs/b.md"],
      undefined,
    ]);
  });

  it("tells which text files hold a text, in either case", () => {
    const holders = (text: string) => clone?.holders(commit, text);
    expect(holders("pOOl")).toEqual(["a file.txt", "docs/b.md"]);
    expect([holders("a.c"), holders("--all"), holders("nowhere")]).toEqual([["docs/b.md"], [], []]);
  });

  it("may lack the content of a file", () => {
    const partial = makeFolder();
    cpSync(own, join(partial, "owner+book"), { recursive: true });
    const blob = git(own, "rev-parse", `${commit}:docs/c.md`);
    rmSync(join(partial, "owner+book/.git/objects", blob.slice(0, 2), blob.slice(2)), { force: true });
    const opened = openClone(partial, "owner/book");
    expect([
      opened?.read(commit, "docs/c.md"),
      opened?.read(commit, "docs/b.md"),
      opened?.read(commit, "d.md"),
    ]).toEqual([...["unread", files["docs/b.md"], undefined]]);
  });
});

describe("a folder of clones", () => {
  it.each([
    ["owner/book", "owner+book/.git"],
    ["owner/book", "owner+book"],
    ["owner/book", "owner/book/.git"],
    ["owner/book", "owner/book"],
    ["owner/book", "owner+book/deep"],
    ["owner/book", "owner/book/deep/.git"],
  ])("has %s at %s", (repository, place) => {
    const dir = makeFolder();
    cpSync(join(own, ".git"), join(dir, place), { recursive: true });
    writeFileSync(join(dir, place, "../notes.txt"), "no clone");
    expect(openClone(dir, repository)?.resolve("HEAD")).toBe(commit);
    expect(openClone(dir, "owner/other")).toBeUndefined();
  });

  it("has none where a part of it is missing", () => {
    const dir = makeFolder();
    expect(openClone(dir, "owner/book")).toBeUndefined();
    mkdirSync(join(dir, "owner/book/deep"), { recursive: true });
    expect(openClone(dir, "owner/book")).toBeUndefined();
    for (const part of ["objects", "refs"]) mkdirSync(join(dir, "owner/book", part));
    expect(openClone(dir, "owner/book")).toBeUndefined();
    writeFileSync(join(dir, "owner/book/HEAD"), "ref: refs/heads/main\n");
    expect(openClone(dir, "owner/book")?.resolve("HEAD")).toBeUndefined();
  });
});
