import { describe, expect, it } from "vitest";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { readCommandLine } from "../../../src/tools/cli/command-line.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";
import { hashOf } from "../../support/sample.ts";

const hash = hashOf(1);
const explained = { name: "explain", hash, svg: null, json: false, why: false, rpcUrls: [] };
const replayed = { name: "replay", path: "-", svg: null, json: false, why: false };
const previewed = { name: "preview", json: false, why: false, rpcUrls: [] };

describe("readCommandLine", () => {
  it.each([
    [["explain", hash], { name: "explain", hash, svg: null, json: false, why: false, rpcUrls: [] }],
    [["explain", "--json", hash, "--why"], { name: "explain", hash, svg: null, json: true, why: true, rpcUrls: [] }],
    [
      ["explain", hash, "--rpc", "http://a/,https://b", "--rpc=http://c"],
      { name: "explain", hash, svg: null, json: false, why: false, rpcUrls: ["http://a", "https://b", "http://c"] },
    ],
    [
      ["explain", ` https://explorer.example/tx/${hash.toUpperCase()} `, "--svg", "a.svg"],
      { name: "explain", hash, svg: "a.svg", json: false, why: false, rpcUrls: [] },
    ],
    [["replay", "x.json", "--why"], { name: "replay", path: "x.json", svg: null, json: false, why: true }],
    [["replay", "--audit", "x.json", "y.json"], { name: "audit", paths: ["x.json", "y.json"] }],
    [["record", hash, hashOf(2), hash], { name: "record", hashes: [hash, hashOf(2)], rpcUrls: [], dir: null }],
    [["record", hash, "--dir", "d"], { name: "record", hashes: [hash], rpcUrls: [], dir: "d" }],
    [["import-erc7730", "d"], { name: "import-erc7730", path: "d", out: null }],
    [["import-erc7730", "d.json", "--out", "o"], { name: "import-erc7730", path: "d.json", out: "o" }],
    [["serve"], { name: "serve" }],
    [["-v"], { name: "version" }],
    [["--version"], { name: "version" }],
    [["explain", hash, "--rpc", " http://a// , https://b "], { ...explained, rpcUrls: ["http://a", "https://b"] }],
    [["replay", "-"], { ...replayed, filter: { resume: null, threads: null } }],
    [["replay", "-", "--threads", "1"], { ...replayed, filter: { resume: null, threads: 1 } }],
    [
      ["replay", "-", "--threads", String(serviceLimits.threadsMax)],
      { ...replayed, filter: { resume: null, threads: serviceLimits.threadsMax } },
    ],
    [
      ["explain", "-", "--resume", "o", "--json"],
      { ...explained, hash: null, json: true, filter: { resume: "o", threads: null } },
    ],
    [["preview", "x.json"], { ...previewed, path: "x.json", fields: {} }],
    [["preview", "x.json", "--from", "0x1"], { ...previewed, path: "x.json", fields: { from: "0x1" } }],
    [
      ["preview", "x.json", "--to", "none", "--data", "none"],
      { ...previewed, path: "x.json", fields: { to: null, data: "none" } },
    ],
    [
      ["preview", "--from", "0x1", "--to", "0x2", "--value", "5"],
      { ...previewed, path: null, fields: { from: "0x1", to: "0x2", value: "5" } },
    ],
    [["ledger"], { name: "ledger", task: null, path: null, json: false }],
    [["ledger", "--json"], { name: "ledger", task: null, path: null, json: true }],
    [["ledger", "export"], { name: "ledger", task: "export", path: null, json: false }],
    [["ledger", "reconcile", "--json"], { name: "ledger", task: "reconcile", path: null, json: true }],
    [["ledger", "import", "f"], { name: "ledger", task: "import", path: "f", json: false }],
    [["coverage", "d"], { name: "coverage", dir: "d", json: false }],
    [["record", "-h"], { name: "help", words: ["record", "-h"] }],
  ])("reads %j", (args, expected) => {
    expect(readCommandLine(args)).toEqual(expected);
  });

  it.each([
    [[], /a command is missing/],
    [["explian", hash], /one of explain, .+, not "explian"; did you mean explain\?$/],
    [["explain"], /one transaction hash/],
    [["explain", hash, hash], /one transaction hash/],
    [["explain", "0x12"], /"0x12" is not 0x followed by 64 hex digits/],
    [["explain", `0x${"aB".repeat(20)}`], /is an address; the hash of one transaction was expected/],
    [["explain", `${hash}00`], /is not 0x followed by 64 hex digits/],
    [["explain", hash, "--dir", "d"], /--dir/],
    [["explain", hash, "--jsno"], /--jsno/],
    [["explain", hash, "--rpc"], /--rpc/],
    [["explain", hash, "--rpc", ""], /^--rpc needs a value: --rpc URL$/],
    [["explain", hash, "--svg="], /^--svg needs a value: --svg FILE$/],
    [["explain", hash, "--rpc", "ws://key@host"], /--rpc expects a URL/],
    [["explain", hash, "--json=1"], /--json/],
    [["replay"], /one case file/],
    [["replay", "x.json", "--resume", "y"], /--resume and --threads are for -/],
    [["replay", "x.json", "--threads", "2"], /--resume and --threads are for -/],
    [["replay", "x.json", "--resume", "y", "--threads", "2"], /--resume and --threads are for -/],
    [["replay", "-", "--svg", "a.svg"], /--svg draws one transaction/],
    [["replay", "-", "--threads", "0"], /a whole number from 1 to/],
    [["replay", "-", "--threads", String(serviceLimits.threadsMax + 1)], /a whole number from 1 to/],
    [["preview"], /expected a file with the request, or --from and --to; --to none creates a contract$/],
    [["preview", "--from", "0x1"], /expected a file with the request, or --from and --to/],
    [["preview", "--to", "0x2", "--value", "5"], /expected a file with the request, or --from and --to/],
    [["preview", "x", "y"], /expected nothing after it, got "y"/],
    [["ledger", "import"], /expected one file that export wrote/],
    [["ledger", "import", "a", "b"], /expected one file that export wrote/],
    [["ledger", "export", "a"], /expected nothing after it, got "a"/],
    [["ledger", "reconcile", "a"], /expected nothing after it, got "a"/],
    [["ledger", "open"], /expected reconcile, export, import FILE or nothing, got "open"/],
    [["record", hash, "--audit"], /there is no option --audit here/],
    [["explain", ` 0x${"AB".repeat(20)} `], new RegExp(`^0x${"AB".repeat(20)} is an address`)],
    [["record", hash, "0x12"], /"0x12" is not 0x followed by 64 hex digits/],
    [["explain", hash, "--rpc", "http://a,ftp://b"], /--rpc expects a URL/],
    [["explain", hash, "--rpc", "http://a,http://"], /--rpc expects a URL/],
    [["replay", "-", "--threads", "1000"], /a whole number from 1 to/],
    [["replay", "-", "--threads", "2x"], /a whole number from 1 to/],
    [["replay", "x.json", "--rpc", "http://a"], /--rpc/],
    [["replay", "--audit"], /at least one case file/],
    [["replay", "x.json", "--audit", "--json"], /--json/],
    [["record"], /at least one/],
    [["serve", "now"], /"now"/],
  ])("refuses %j", (args, message) => {
    expect(() => readCommandLine(args)).toThrow(UsageError);
    expect(() => readCommandLine(args)).toThrow(message);
  });

  it("never repeats a wrong endpoint, which may hold a key", () => {
    expect(() => readCommandLine(["explain", hash, "--rpc", "wss://host/secret"])).toThrow(/^(?!.*secret)/);
  });
});
