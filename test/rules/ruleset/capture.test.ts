import { describe, expect, it } from "vitest";
import { unlimitedThreshold } from "../../../src/kernel/amount.ts";
import type { Value } from "../../../src/rules/abi/abi-type.ts";
import { toldElements } from "../../../src/rules/ruleset/capture-parts.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const pool = "0xa238dd80c259a72e81d7e4664a9801593f98d1c5";
const other = "0x6cb442acf35158d5eda88fe602221b67b400be3e";
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const weth = "0x4200000000000000000000000000000000000006";
const tables = `tables:
  assets:
    "7": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
    "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5": "0x4200000000000000000000000000000000000006"
`;

function compile(capture: string, call = "move", rest = tables) {
  const rule = `{ id: a, action: stake, anchor: { call: ${call} }, at: pool, values: { x: ${capture} }, say: "stake {x}" }`;
  const { ruleset, diagnostics } = compileTexts({ market: marketFile(`${rest}rules:\n  - ${rule}\n`) });
  return { capture: ruleset.rules[0]?.captures.get("x"), found: diagnostics.map(placeOf) };
}

/** The value that the capture reads from a call with these arguments to that contract. */
function read(capture: string, call: string, args: Value[], to = pool): unknown {
  const { capture: compiled, found } = compile(capture, call);
  expect(found).toEqual([]);
  const context = { args, call: { to } } as never;
  if (compiled?.kind === "amount") return compiled.token(context);
  return compiled !== undefined && "get" in compiled ? compiled.get(context) : undefined;
}

describe("a count with its noun", () => {
  const gauges = "{ integer: amount, one: gauge, many: gauges }";

  it.each<[Value, string | undefined]>([
    [1n, "1 gauge"],
    [2n, "2 gauges"],
    [1500n, "1,500 gauges"],
    [0n, undefined],
    [unlimitedThreshold - 1n, "1.46 × 10^48 gauges"],
    [unlimitedThreshold, undefined],
    [(1n << 256n) - 1n, undefined],
  ])("%s", (amount, told) => {
    expect(read(gauges, "move", [amount])).toEqual(told);
  });

  it("is told without one where there is none, and nothing where the argument is missing", () => {
    expect(read("{ integer: amount }", "move", [0n])).toBe(0n);
    expect(read(gauges, "move", [])).toBeUndefined();
  });
});

describe("a hash", () => {
  it.each<[string, string | undefined]>([
    [`0x12ab${"00".repeat(28)}cd34`, "0x12ab…cd34"],
    ["0x12abcd3456", "0x12abcd3456"],
    [`0x${"00".repeat(32)}`, undefined],
    ["0x", undefined],
  ])("%s", (data, told) => {
    expect(read("{ hash: data }", "push", [usdc, data])).toBe(told);
  });

  it("is read from bytes alone", () => {
    expect(compile("{ hash: to }", "push").found[0]).toMatch(/^RL304 /);
  });
});

describe("a table of the file", () => {
  it("has addresses by number", () => {
    expect(read("{ amount: amount, of: { table: assets, by: amount } }", "move", [7n])).toBe(usdc);
    expect(read("{ amount: amount, of: { table: assets, by: amount } }", "move", [8n])).toBeUndefined();
  });

  it("has addresses by address", () => {
    expect(read("{ amount: amount, of: { table: assets, by: call.to } }", "move", [7n])).toBe(weth);
    expect(read("{ amount: amount, of: { table: assets, by: call.to } }", "move", [7n], other)).toBeUndefined();
  });

  it("is one that the file has, asked by a number or an address", () => {
    const unknown = compile("{ amount: amount, of: { table: asset, by: amount } }").found;
    expect(unknown).toEqual([expect.stringMatching(/^RL303 .* assets$/)]);
    const bytes = compile("{ amount: call.value, of: { table: assets, by: data } }", "push").found;
    expect(bytes).toEqual([expect.stringMatching(/^RL304 /)]);
  });

  it("states checksums", () => {
    const wrong = tables.replace("bdA02913", "bda02913").replace("A238Dd80", "A238dD80");
    const { found } = compile("{ amount: amount, of: { table: assets, by: call.to } }", "move", wrong);
    expect(found.map((one) => one.slice(0, 5))).toEqual(["RL205", "RL205"]);
  });

  it("is part of the version of the file's rules", () => {
    const version = (text: string) =>
      compileTexts({
        market: marketFile(
          `${text}rules:\n  - { id: a, action: stake, anchor: { call: move }, at: pool, say: "stake" }\n`,
        ),
      }).ruleset.rules[0]?.version();
    expect(version(tables)).not.toBe(version(""));
    expect(version(tables)).not.toBe(version(tables.replace('"7"', '"8"')));
  });

  it("is not taken over by a file that is like this one", () => {
    const rule = `  - { id: a, action: stake, anchor: { call: move }, at: pool, values: { x: { amount: amount, of: { table: assets, by: call.to } } }, say: "stake {x}" }\n`;
    const copy = (own: string) =>
      compileTexts({
        market: marketFile(`${tables}rules:\n${rule}`),
        copy: `protocol: copy\nname: Copy\nkind: protocol\nlike: market\nwithout: [made, factory]\nsource: example book\ncontracts:\n  pool: { Copy pool: "0x420DD381b31aEf6683db6B902084cB0FFECe40Da" }\n${own}`,
      }).diagnostics.map(({ code, file }) => `${code} ${file}`);
    expect(copy(tables)).toEqual([]);
    expect(copy("")).toEqual(["RL303 rules/copy.yaml"]);
  });
});

describe("a capture with something around it", () => {
  const context = { args: [usdc, [1n, 2n, 3n, 4n, 5n], [5n, 4n, 3n, 2n, 1n], [1n]] } as never;
  const lots = '"function lots(address to, uint256[] a, uint256[] b, uint256[] c)"';

  function elements(capture: string) {
    const rule = `{ id: a, action: stake, anchor: { call: lots }, at: pool, values: { x: ${capture} }, say: "stake {x}" }`;
    const text = marketFile(`rules:\n  - ${rule}\n`).replace("abi:\n", `abi:\n  lots: ${lots}\n`);
    const { ruleset, diagnostics } = compileTexts({ market: text });
    const compiled = ruleset.rules[0]?.captures.get("x");
    const told = compiled?.kind === "field" ? toldElements(compiled, context) : undefined;
    const read = told?.told.map((one) => {
      const value = compiled?.kind === "field" ? compiled.value : undefined;
      return value !== undefined && "get" in value ? value.get(one) : undefined;
    });
    return { read, more: told?.more, found: diagnostics.map(placeOf) };
  }

  it("reads the first elements of an array, and counts the others", () => {
    expect(elements("{ each: a, integer: item }")).toEqual({ read: [1n, 2n, 3n, 4n], more: 1, found: [] });
  });

  it("reads those for which a condition holds", () => {
    const capture = '{ each: a, when: { ">": [{ var: item }, "3"] }, integer: item }';
    expect(elements(capture)).toEqual({ read: [4n, 5n], more: 0, found: [] });
  });

  it("reads parallel arrays together, and nothing where they differ in length", () => {
    expect(elements("{ each: { zip: { x: a, y: b } }, integer: item.y }").read).toEqual([5n, 4n, 3n, 2n]);
    expect(elements("{ each: { zip: { x: a, y: c } }, integer: item.y }").read).toEqual([]);
  });

  it("reports what is no array", () => {
    expect(elements("{ each: to, integer: item }").found[0]).toMatch(/^RL304 /);
  });
});
