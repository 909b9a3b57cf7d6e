import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide } from "../../../src/engine/spine.ts";
import { CaseFileError, checkCase, readCase, writeCase } from "../../../src/gather/recordings/case-format.ts";
import { openRecordings } from "../../../src/gather/recordings/recordings.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../../../src/model/case-file.ts";
import { anyCase } from "../../property/case-arbitrary.ts";
import { labels, ruleset } from "../../property/world.ts";
import { alice, bob, callTrace } from "../../support/rpc-server-chain.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";

const hash = hashOf(1);
const listedTrace = { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] };
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

  it("say where the case departs from its schema", () => {
    expect(() => checkCase([], "here")).toThrow(new CaseFileError("invalid", "here", "it must be object"));
    expect(() => checkCase({ ...caseFileOf(hash), extra: 1 }, "here")).toThrow(
      new CaseFileError("invalid", "here", "it must NOT have additional properties (extra)"),
    );
    expect(() => checkCase({ ...caseFileOf(hash), tx_hash: 5 }, "here")).toThrow(
      new CaseFileError("invalid", "here", "/tx_hash must be string"),
    );
    expect(checkCase(caseFileOf(hash), "here")).toEqual(caseFileOf(hash));
  });

  it("make the folder that is written to", async () => {
    const dir = join(newDir(), "deep", "er");
    expect(await writeCase(dir, caseFileOf(hash))).toBe(join(dir, `${hash}.json`));
    expect(await writeCase(dir, caseFileOf(hash))).toBe(join(dir, `${hash}.json`));
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
  ])("refuse %s with a clear error", async (name, change, message) => {
    const path = join(newDir(), `${hash}.json`);
    writeFileSync(path, typeof change === "string" ? change : JSON.stringify({ ...caseFileOf(hash), ...change }));
    await expect(readCase(path)).rejects.toThrow(CaseFileError);
    await expect(readCase(path)).rejects.toMatchObject({ code: name === "half a file" ? "not_json" : "invalid" });
    await expect(readCase(path)).rejects.toThrow(message);
  });

  it.each<[string, { receipt?: object; transaction?: object }, string]>([
    [
      "of another receiver",
      { receipt: { to: bob, logs: [] } },
      `\`to\` of the transaction is 0x${"b".repeat(40)}, and of the receipt ${bob}`,
    ],
    [
      "of a creation, where the transaction is a call",
      { receipt: { to: null, logs: [] } },
      `\`to\` of the transaction is 0x${"b".repeat(40)}, and of the receipt null`,
    ],
    [
      "of a call, where the transaction is a creation",
      { transaction: { to: null }, receipt: { to: bob, logs: [] } },
      `\`to\` of the transaction is null, and of the receipt ${bob}`,
    ],
    [
      "of another sender",
      { receipt: { from: alice, logs: [] } },
      `\`from\` of the transaction is 0x${"a".repeat(40)}, and of the receipt ${alice}`,
    ],
    [
      "and a transaction of another hash",
      { transaction: { hash: hashOf(2) } },
      `tx_hash is ${hash}, and \`hash\` of the transaction ${hashOf(2)}`,
    ],
  ])("refuse a case with a receipt %s", async (_name, { transaction, ...parts }, disagreement) => {
    const whole = caseFileOf(hash);
    const mixed = { ...whole, ...parts, transaction: { ...whole.transaction, ...transaction } };
    const path = join(newDir(), `${hash}.json`);
    const message = `${path} is not a case file: its parts are of different transactions: ${disagreement}`;
    for (const version of [1, 2]) {
      writeFileSync(path, JSON.stringify({ ...mixed, version }));
      await expect(readCase(path)).rejects.toMatchObject({ code: "wrong_transaction", message });
    }
  });

  it("accept a receipt in other letter case, and one without sender and receiver", () => {
    const { transaction, ...whole } = caseFileOf(hash);
    const to = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    for (const receipt of [{ to: to.toLowerCase(), from: transaction.from.toUpperCase().replace("X", "x") }, {}]) {
      const file = { ...whole, transaction: { ...transaction, to }, receipt: { ...receipt, logs: [] } };
      expect(checkCase(file, "here")).toEqual(file);
    }
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

describe("version 1", () => {
  const recordings = join(root, "test/transactions");

  it("is read as version 2, and gives the same answer byte for byte", async () => {
    const paths = readdirSync(recordings).map((name) => join(recordings, name));
    const ofVersion1 = paths
      .map((path) => ({ path, given: JSON.parse(readFileSync(path, "utf8")) as CaseFileV1 }))
      .filter(({ given }) => given.version === 1);
    expect(ofVersion1.length).toBeGreaterThan(100);
    for (const { path, given } of ofVersion1) {
      const read = await readCase(path);
      expect(read.version).toBe(2);
      const [before, after] = [given, read].map((file) => decide(file, ruleset, labels));
      expect(JSON.stringify(after?.explanation)).toBe(JSON.stringify(before?.explanation));
      expect(after?.evidence()).toEqual(before?.evidence());
    }
  });

  it("names the explorer as the provider of internal transfers; whatever else it holds stays", async () => {
    const dir = newDir();
    await fc.assert(
      fc.asyncProperty(anyCase, async (drawn) => {
        const file = JSON.parse(JSON.stringify(drawn)) as CaseFile;
        const path = join(dir, `${file.tx_hash}.json`);
        writeFileSync(path, JSON.stringify(downgrade(file)));
        const { trace } = file;
        const expected = trace.source === "internal_transfers" ? { ...trace, provider: "blockscout" } : trace;
        const read = await readCase(path);
        expect(read).toEqual({ ...file, trace: expected });
        await writeCase(dir, read);
        expect(await readCase(path)).toEqual(read);
      }),
      { numRuns: 200 },
    );
  });

  it("is not changed by being upgraded", () => {
    const file = downgrade({
      ...caseFileOf(hash),
      trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] },
    });
    const before = structuredClone(file);
    expect(upgradeCase(file).trace).toEqual({
      ...{ source: "internal_transfers", provider: "blockscout", internal_transfers: [] },
    });
    expect(file).toEqual(before);
    const newest = caseFileOf(hash);
    expect(upgradeCase(newest)).toBe(newest);
  });

  it.each([
    ["a list of version 1 in version 2", { trace: { source: "blockscout", internal: [] } }],
    ["a list of version 2 in version 1", { version: 1, trace: listedTrace }],
    ["a list without its provider", { trace: { source: "internal_transfers", internal_transfers: [] } }],
  ])("is not mixed with version 2: %s", async (_name, change) => {
    const path = join(newDir(), `${hash}.json`);
    writeFileSync(path, JSON.stringify({ ...caseFileOf(hash), ...change }));
    await expect(readCase(path)).rejects.toMatchObject({ code: "invalid" });
  });
});

/** The same case as version 1 wrote it. */
function downgrade(file: CaseFile): CaseFileV1 {
  const { trace } = file;
  const listed = trace.source === "internal_transfers";
  return {
    ...file,
    version: 1,
    trace: listed ? { source: "blockscout", internal: trace.internal_transfers } : trace,
  };
}

describe("openRecordings", () => {
  it("lists what is named as a hash, and refuses a case under another's name", async () => {
    const dir = newDir();
    const path = await writeCase(dir, caseFileOf(hash));
    writeFileSync(join(dir, `${hashOf(2)}.json`), readFileSync(path));
    writeFileSync(join(dir, "notes.json"), "{}");
    writeFileSync(join(dir, `${hashOf(3)}.text`), "{}");
    writeFileSync(join(dir, hashOf(4)), "{}");
    const recordings = openRecordings(dir, 8453);
    expect(await recordings.find(hash)).toEqual(caseFileOf(hash));
    expect(recordings.find(hashOf(3))).toBeUndefined();
    await expect(recordings.find(hashOf(2))).rejects.toThrow(/\/tx_hash is 0x0+1$/);
    await expect(recordings.find(hashOf(2))).rejects.toMatchObject({ code: "wrong_hash" });
    expect(recordings.find(hashOf(4))).toBeUndefined();
    await expect(openRecordings(dir, 1).find(hash)).rejects.toMatchObject({
      ...{ code: "wrong_chain", name: "CaseFileError" },
      message: `${path} is not a case file: /chain_id is 8453`,
    });
  });
});

function tokenOf(parts: object): object {
  return { status: "found", source: "", symbol: null, name: null, decimals: null, standard: null, ...parts };
}
