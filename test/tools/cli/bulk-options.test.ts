import { describe, expect, it } from "vitest";
import { readBulk } from "../../../src/tools/cli/volume/bulk-options.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";

const rpcUrls = ["http://a"];
const read = (words: string[], options = {}) => readBulk({ words, options, rpcUrls });
const range = { from: "5", to: "9" };
const plan = { first: 5, last: 9, format: "ndjson", traces: true, state: true, size: null, retries: 10 };

describe("the words behind bulk", () => {
  it.each<[string[], object, object]>([
    [["plan"], range, { task: "plan", plan, json: false }],
    [["plan"], { from: "0", to: "0", json: true }, { task: "plan", plan: { ...plan, first: 0, last: 0 }, json: true }],
    [
      ["plan"],
      { ...range, format: "parquet", size: "1", retries: "0", untraced: true, stateless: true },
      {
        task: "plan",
        plan: { ...plan, format: "parquet", size: 1, retries: 0, traces: false, state: false },
        json: false,
      },
    ],
    [["work"], {}, { task: "work", dir: "bulk", rpcUrls, json: false }],
    [["parts"], { dir: "d", json: true }, { task: "parts", dir: "d", rpcUrls, json: true }],
    [["status"], {}, { task: "status", json: false }],
  ])("%j with %j", (words, options, task) => {
    expect(read(words, options)).toEqual(task);
  });

  it.each<[string[], object, string]>([
    [[], {}, "expected plan, work, status or parts after bulk"],
    [["stop"], {}, "expected plan, work, status or parts after bulk"],
    [["work", "now"], {}, 'expected nothing after work, got "now"'],
    [["work"], { from: "5" }, "--from and --to are for bulk plan"],
    [["status"], { to: "5" }, "--from and --to are for bulk plan"],
    [["plan"], { from: "5" }, "bulk plan needs --from BLOCK and --to BLOCK"],
    [["plan"], { to: "5" }, "bulk plan needs --from BLOCK and --to BLOCK"],
    [["plan"], { from: "9", to: "8" }, "--to 8 is before --from 9"],
    [["plan"], { from: "x", to: "8" }, "--from expects a whole number from 0"],
    [["plan"], { from: "1", to: "1234567890123" }, "--to expects a whole number from 0"],
    [["plan"], { ...range, format: "csv" }, "--format expects ndjson or parquet"],
    [["plan"], { ...range, size: "0" }, "--size expects a whole number from 1"],
    [["plan"], { ...range, retries: "-1" }, "--retries expects a whole number from 0"],
  ])("refuses %j with %j", (words, options, message) => {
    expect(() => read(words, options)).toThrow(new UsageError(message));
  });
});
