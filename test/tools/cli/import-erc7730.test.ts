import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandOf } from "../../../src/tools/cli/command-line.ts";
import { runImport } from "../../../src/tools/cli/import-erc7730.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";
import { root } from "../../support/shared.ts";
import { descriptorOf, writeFolder } from "../erc7730/descriptor-folder.ts";

const token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const named = `0x${"5a".repeat(20)}`;
const ours = writeFolder({
  "rules/actions.yaml": readFileSync(join(root, "rules/actions.yaml"), "utf8"),
  "rules/verbs.yaml": readFileSync(join(root, "rules/verbs.yaml"), "utf8"),
  "labels/tokens.yaml": `schema: tokens/v1
sources: { list: "unverified: told by a user" }
tokens:
  - { address: "${token}", symbol: USDC, name: USD Coin, decimals: 6, well_known: true, source: list }
`,
  "labels/names.yaml": `schema: names/v1
sources: { list: "unverified: told by a user" }
names:
  - { address: "${named}", label: Somebody, category: exchange, source: list }
`,
});
const config = { rulesDir: [join(ours, "rules")], labelsDir: [join(ours, "labels")] };
const run = (path: string, out: string | null = null) =>
  runImport({ name: "import-erc7730", path, out } as CommandOf<"import-erc7730">, config);

const claim = descriptorOf({ "claim(address token)": { intent: "Claim Rewards" } });
const burn = descriptorOf({ "burn()": { intent: "Burn" } });

describe("rule files from descriptors", () => {
  it("go to stdout when there is one, and to a new folder when there are several", () => {
    const dir = writeFolder({ "in/one.json": claim, "in/two.json": burn });
    const one = run(join(dir, "in/one.json"));
    expect(one).toEqual({
      text: expect.stringContaining("\nprotocol: erc7730-one\n"),
      report: expect.stringMatching(/^4 rules in 1 file/),
      status: 0,
    });
    const out = join(dir, "deep", "out");
    expect(run(join(dir, "in"), out)).toEqual({
      text: `${join(out, "erc7730-one.yaml")}\n${join(out, "erc7730-two.yaml")}\n`,
      report: expect.stringMatching(/^8 rules in 2 files/),
      status: 0,
    });
    expect(readdirSync(out)).toEqual(["erc7730-one.yaml", "erc7730-two.yaml"]);
    expect(readFileSync(join(out, "erc7730-one.yaml"), "utf8")).toBe(one.text);
  });

  it("are none where nothing could be read, and no folder is made for them", () => {
    const dir = writeFolder({ "x.json": "{" });
    const report = "0 rules in 0 files; 1 part left out\n1 x the file is not JSON\n    x.json\n";
    expect(run(join(dir, "x.json"))).toEqual({ text: "", report, status: 1 });
    expect(run(join(dir, "x.json"), join(dir, "out"))).toEqual({ text: "", report, status: 1 });
    expect(readdirSync(dir)).toEqual(["x.json"]);
  });

  it("are refused where it is not said what of, or where they go", () => {
    const dir = writeFolder({ "one.json": claim, "two.json": burn });
    expect(() => run(join(dir, "none"))).toThrow(new UsageError(`there is no file or folder ${join(dir, "none")}`));
    expect(() => run(dir)).toThrow(new UsageError("2 rule files came out: --out says into which folder they go"));
  });

  it.each([
    [token, "USDC"],
    [named, "Somebody"],
    [`0x${"57".repeat(20)}`, "Free Money"],
  ])("call %s %s", (address, name) => {
    const context = { contract: { deployments: [{ chainId: 8453, address }] } };
    const owner = descriptorOf({ "burn()": { intent: "Burn" } }, { context, metadata: { owner: "Free Money" } });
    const { text } = run(writeFolder({ "a.json": owner }));
    expect(/"?([^"\n{,:]*?)"?: "0x[0-9a-fA-F]{40}"/.exec(text)?.[1]?.trim()).toBe(name);
  });
});
