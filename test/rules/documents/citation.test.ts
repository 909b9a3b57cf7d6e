import { describe, expect, it } from "vitest";
import {
  type Citation,
  listSources,
  originOf,
  readCitation,
  supportOf,
} from "../../../src/rules/documents/citation.ts";

const hash = `0x${"ab".repeat(32)}`;

describe("a source", () => {
  it.each<[string, Citation]>([
    [
      "owner/some.repo@0123456789:dir/a file [1].json#8453/pool",
      {
        kind: "repository",
        repository: "owner/some.repo",
        commit: "0123456789",
        path: "dir/a file [1].json",
        key: ["8453", "pool"],
      },
    ],
    ["o/r@0123456:README.md", { kind: "repository", repository: "o/r", commit: "0123456", path: "README.md", key: [] }],
    ["https://example.org/a#b 2026-01-31", { kind: "page", url: "https://example.org/a#b", date: "2026-01-31" }],
    [`tx:${hash}`, { kind: "transaction", hash, role: null }],
    [`tx:${hash}#Supply`, { kind: "transaction", hash, role: "Supply" }],
    [`block:12#code=${hash}`, { kind: "block", block: 12, of: "code", hash }],
    [`block:12#implementation=${hash}`, { kind: "block", block: 12, of: "implementation", hash }],
    ["unverified: told by a user", { kind: "unverified", why: "told by a user" }],
  ])("%s is read", (text, citation) => {
    expect(readCitation(text)).toEqual(citation);
  });

  it.each([
    "public lists",
    "owner/repo",
    "owner/repo@012345:README.md",
    "owner/repo@main:README.md",
    "owner/repo@0123456",
    "owner/repo@0123456:",
    "owner/repo@0123456:README.md#",
    "owner/repo@0123456:README.md ",
    "https://example.org",
    "https://example.org 2026-13-01",
    "http://example.org 2026-01-31",
    "tx:0x12",
    `tx:${hash.toUpperCase()}`,
    `tx:${hash}#`,
    `block:0#code=${hash}`,
    `block:12#${hash}`,
    "unverified:",
    "unverified",
    "",
  ])("%j is none", (text) => {
    expect(readCitation(text)).toBeUndefined();
  });

  it("stands alone or in a list", () => {
    expect(listSources("a")).toEqual(["a"]);
    expect(listSources(["a", "b"])).toEqual(["a", "b"]);
    expect(listSources(undefined)).toEqual([]);
  });
});

describe("origins", () => {
  const read = (text: string) => readCitation(text) as Citation;
  const [ours, theirs] = [read("a/x@0123456:f"), read("b/x@0123456:f")];

  it("are owners of repositories and hosts of pages, whatever the case", () => {
    expect(originOf(read("Owner/x@0123456:f"))).toBe("owner");
    expect(originOf(read("https://docs.example.org/a 2026-01-31"))).toBe("docs.example.org");
    expect(originOf(read(`tx:${hash}`))).toBeUndefined();
    expect(originOf(read("unverified: nobody"))).toBeUndefined();
  });

  it("count once for each owner", () => {
    expect(supportOf([ours, theirs])).toBe("two");
    expect(supportOf([ours, read("a/y@0123456:g")])).toBe("one");
    expect(supportOf([ours, read("unverified: nobody")])).toBe("one");
    expect(supportOf([read("unverified: nobody")])).toBe("none");
    expect(supportOf([])).toBe("none");
  });

  it("are completed by a check on chain", () => {
    expect(supportOf([ours, read(`tx:${hash}#Supply`)])).toBe("two");
    expect(supportOf([ours, read(`block:12#code=${hash}`)])).toBe("two");
    expect(supportOf([read(`tx:${hash}`), read(`block:12#code=${hash}`)])).toBe("one");
  });
});
