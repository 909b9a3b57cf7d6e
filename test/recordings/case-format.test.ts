import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CaseFileError, readCase, writeCase } from "../../src/recordings/case-format.ts";
import { openRecordings } from "../../src/recordings/recordings.ts";
import { alice, bob, callTrace } from "../support/rpc-server-chain.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";

const hash = hashOf(1);
const newDir = () => mkdtempSync(join(tmpdir(), "cases-"));

describe("writeCase and readCase", () => {
  it("give back the same case, and the same bytes when written again", async () => {
    const dir = newDir();
    const path = await writeCase(dir, caseFileOf(hash));
    const bytes = readFileSync(path);
    expect(await writeCase(dir, await readCase(path))).toBe(path);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(dir)).toEqual([`${hash}.json`]);
  });

  it("give the same bytes whatever the order of keys", async () => {
    const { price, ...rest } = caseFileOf(hash);
    const [one, two] = [await writeCase(newDir(), caseFileOf(hash)), await writeCase(newDir(), { price, ...rest })];
    expect(readFileSync(one).equals(readFileSync(two))).toBe(true);
    expect(readFileSync(one, "utf8").endsWith("}\n")).toBe(true);
  });

  it.each([
    ["half a file", '{"version":1,', /is not a case file: .*JSON/],
    ["another version", { version: 3 }, /\/version must be equal to one of the allowed values/],
    ["an unknown field", { extra: 1 }, /must NOT have additional properties \(extra\)$/],
    ["a missing field", { price: undefined }, /must have required property 'price'/],
    ["a short hash", { tx_hash: "0x12" }, /\/tx_hash must match pattern/],
    ["a float for decimals", { tokens: { [alice]: { status: "found", decimals: 1.5 } } }, /\/tokens\/0x/],
    ["decimals beyond 77", { tokens: { [alice]: tokenOf({ decimals: 78 }) } }, /\/decimals must be <= 77/],
    ["an upper-case token", { tokens: { [`0x${"A".repeat(40)}`]: tokenOf({}) } }, /additional properties/],
    [
      "a trace of no known source",
      { trace: { source: "guess", root: { type: "CALL", from: alice } } },
      /\/trace\/source must be equal to one of/,
    ],
    [
      "a trace with two bodies",
      { trace: { source: "none", reason: "", internal: [] } },
      /\/trace must NOT have .*internal/,
    ],
    ["a frame with gas", { trace: { source: "trace_transaction", root: callTrace } }, /\/trace\/root must NOT .*gas/],
    ["a price with an exponent", { price: { status: "found", source: "", eth_usd: "1e3" } }, /\/price\/eth_usd/],
  ])("refuse %s with a clear error", async (_name, change, message) => {
    const path = join(newDir(), `${hash}.json`);
    writeFileSync(path, typeof change === "string" ? change : JSON.stringify({ ...caseFileOf(hash), ...change }));
    await expect(readCase(path)).rejects.toThrow(CaseFileError);
    await expect(readCase(path)).rejects.toThrow(message);
  });

  it.each([
    [
      "a list",
      {
        source: "internal_transfers",
        provider: "explorer.example",
        internal_transfers: [{ type: "call", from: alice, to: bob, value: "9", success: true }],
      },
    ],
    ["nothing", { source: "none", reason: "no source" }],
  ] as const)("accept a trace that is %s", async (_name, trace) => {
    const path = await writeCase(newDir(), { ...caseFileOf(hash), trace: structuredClone(trace) as never });
    expect((await readCase(path)).trace).toEqual(trace);
  });
});

describe("openRecordings", () => {
  it("lists what is named as a hash, and refuses a case under another's name", async () => {
    const dir = newDir();
    const path = await writeCase(dir, caseFileOf(hash));
    writeFileSync(join(dir, `${hashOf(2)}.json`), readFileSync(path));
    writeFileSync(join(dir, "notes.json"), "{}");
    const recordings = openRecordings(dir, 8453);
    expect(await recordings.find(hash)).toEqual(caseFileOf(hash));
    expect(recordings.find(hashOf(3))).toBeUndefined();
    await expect(recordings.find(hashOf(2))).rejects.toThrow(/\/tx_hash is 0x0+1$/);
    await expect(recordings.find(hashOf(2))).rejects.toMatchObject({ code: "wrong_hash" });
  });
});

function tokenOf(parts: object): object {
  return { status: "found", source: "", symbol: null, name: null, decimals: null, standard: null, ...parts };
}
