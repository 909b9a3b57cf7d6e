import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { labelCodes } from "../../../src/rules/labels/code.ts";
import { compileLabels } from "../../../src/rules/labels/load.ts";
import { allCodes, findCode, ruleCodes, sampleOf } from "../../../src/tools/lint/codes/codes.ts";
import { closestCode, explainCode, explainForgery } from "../../../src/tools/lint/codes/explain-code.ts";
import { runCommand } from "../../../src/tools/lint/command.ts";
import { type MutationKind, mutationKinds, refusedKinds } from "../../../src/tools/lint/mutation/mutant.ts";
import { root } from "../../support/shared.ts";

/** The parts of a sample between gaps, without comments. */
function stretchesOf(text = ""): string[][] {
  const lines = text.split("\n").filter((line) => !line.startsWith("("));
  const gaps = [-1, ...lines.flatMap((line, i) => (line.trim() === "…" ? [i] : [])), lines.length];
  return gaps.slice(1).map((end, i) => lines.slice((gaps[i] as number) + 1, end));
}

function fixture(code: string, kind: "bad" | "good"): string[] {
  const file = join(root, "test/tools/lint", code, `${kind}.yaml`);
  const folder = join(root, "test/tools/lint", code, kind);
  const path = existsSync(file) ? file : join(folder, readdirSync(folder)[0] ?? "");
  return readFileSync(path, "utf8").split("\n");
}

/** Whether the stretches stand in the file, in this order. */
function holds(file: readonly string[], stretches: readonly string[][]): boolean {
  let from = 0;
  for (const stretch of stretches) {
    const found = file.findIndex((_, i) => i >= from && stretch.every((line, k) => file[i + k] === line));
    if (found < 0) return false;
    from = found + stretch.length;
  }
  return true;
}

/** Entries of a label file as a whole one. */
function wholeLabels(sample: string): string {
  if (sample.startsWith("schema:")) return `${sample}\n`;
  const kind = sample.includes("symbol:") ? "tokens" : "names";
  return `schema: ${kind}/v1\nsources: { list: "https://example.org/list" }\n${kind}:\n${sample}\n`;
}

describe("--explain", () => {
  it.each(allCodes())("%s shows how it looks when it is bad, and when it is good", (code) => {
    const text = explainCode(code.toLowerCase()) ?? "";
    expect(text).toMatch(/\nFinds: .+\.\n\n.+\n\nBad:\n\n(?: {4}.+\n)+\nGood:\n\n(?: {4}.+\n)+$/);
    const { bad, good } = sampleOf(code) ?? {};
    expect(bad).not.toBe(good);
    for (const line of [bad, good].flatMap((one) => one?.trim().split("\n").at(-1) ?? []))
      expect(text).toContain(line.trim());
  });

  it.each(Object.keys(ruleCodes()))("%s shows lines of files that are checked", (code) => {
    const { bad, good } = sampleOf(code) ?? {};
    const [wrong, right] = [stretchesOf(bad), stretchesOf(good)];
    expect(wrong.flat().length).toBeGreaterThan(0);
    expect([holds(fixture(code, "bad"), wrong), holds(fixture(code, "good"), right)]).toEqual([true, true]);
    // What is wrong with those is told by a remark.
    if (!bad?.includes("\n(")) expect(holds(fixture(code, "good"), wrong)).toBe(false);
  });

  it.each(allCodes().filter((code) => code.startsWith("LB") && code !== "LB100"))(
    "%s is found in its bad lines only",
    (code) => {
      const found = (text = "") =>
        compileLabels([{ path: "labels/x.yaml", text: wholeLabels(text) }], []).diagnostics.map((one) => one.code);
      expect([found(sampleOf(code)?.bad), found(sampleOf(code)?.good)]).toEqual([[code], []]);
    },
  );

  it("knows no other code", () => {
    expect(explainCode("RL999")).toBeUndefined();
    expect(explainCode("toString")).toBeUndefined();
    expect(sampleOf("toString")).toBeUndefined();
  });
});

describe("codes", () => {
  it("have their level, and block where the loader refuses the file", () => {
    const weights = (codes: string[]) => codes.map((code) => [findCode(code)?.level, findCode(code)?.blocks]);
    expect(weights(["RL303", "RL502", "LB101", "LB111"])).toEqual([
      ["error", true],
      ["warning", false],
      ["error", true],
      ["warning", false],
    ]);
    expect([ruleCodes().RL303?.blocks, ruleCodes().RL502?.blocks]).toEqual([true, false]);
    expect(findCode("RL303")).toEqual(ruleCodes().RL303);
    expect(findCode("LB111")).toEqual({
      ...{ level: "warning", blocks: false, finds: "one thing listed twice with the same facts" },
      help: "labels/ holds facts with their sources; schemas/label.schema.json describes its files.",
    });
    expect([findCode("RL999"), findCode("toString")]).toEqual([undefined, undefined]);
  });

  it("are listed in order, of label files first", () => {
    const all = allCodes();
    expect(all).toEqual([...Object.keys(labelCodes), ...Object.keys(ruleCodes())].sort());
    expect(all[0]).toBe("LB100");
  });

  it("are explained with what stands in codes.yaml, remarks at the left", () => {
    expect(explainCode("rl303")).toBe(`RL303 (error; the loader refuses a file with it)

Finds: a path or argument that names nothing.

A name is an argument of the anchor, a leg or a word of the engine, such as emitter, call, tx, flow, target and subject; see docs/rule-language.md.

Bad:

    subject: usr

Good:

    subject: user
`);
    const [, shown = ""] = (explainCode("RL105") ?? "").split("Bad:");
    expect(shown.split("\n").filter((line) => line.trim().startsWith("("))).toEqual(
      [sampleOf("RL105")?.bad, sampleOf("RL105")?.good].flatMap((text = "") =>
        text.split("\n").flatMap((line) => (line.startsWith("(") ? `    ${line}` : [])),
      ),
    );
    expect(explainCode("LB111")).toMatch(/^LB111 \(warning\)\n/);
  });

  it("that were probably meant are suggested", () => {
    expect([closestCode("rl3033"), closestCode("nothing like it")]).toEqual(["RL303", undefined]);
  });
});

describe("forgeries", () => {
  const names = Object.keys(mutationKinds) as MutationKind[];

  it.each(names)("%s is explained by its name", (name) => {
    const text = explainForgery(name) ?? "";
    expect(text).toMatch(new RegExp(`^${name} \\(a forgery of --mutate\\)\\n\\nForged: .+\\.\\n\\n.+\\n$`));
    expect(text).toContain(mutationKinds[name]);
    expect(text.includes("`survives`")).toBe(refusedKinds.includes(name));
    expect(runCommand(["--explain", name], false)).toEqual({ status: 0, out: text, err: "" });
  });

  it("are all in docs/rules/tools.md, with what must be seen through", () => {
    const page = readFileSync(join(root, "docs/rules/tools.md"), "utf8");
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.+) \| (yes|no) \|$/gm)].map((row) => row.slice(1));
    expect(rows).toEqual(names.map((name) => [name, mutationKinds[name], refusedKinds.includes(name) ? "yes" : "no"]));
  });

  it("are suggested where a name is nearly one", () => {
    expect([explainForgery("sideshow"), explainForgery("toString"), closestCode("sideshow")]).toEqual([
      undefined,
      undefined,
      "side-show",
    ]);
  });
});
