import { describe, expect, it } from "vitest";
import { AssetNames } from "../../../src/engine/present/amounts/asset-names.ts";
import { ValueWriter } from "../../../src/engine/present/values.ts";
import type { CompiledCapture } from "../../../src/rules/ruleset/compiled.ts";
import { checkCaptures } from "../../../src/tools/lint/checks/capture-use.ts";
import { bob, caseOf } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { shippedTeller } from "../../support/wording.ts";
import { compileTexts, marketFile } from "./rule-text.ts";

const pool = "0xa238dd80c259a72e81d7e4664a9801593f98d1c5";
const abi = '  act: "function act(address to, uint256 id, uint256 n, int256 i)"\n';

function compile(capture: string) {
  const rule = `{ id: a, action: stake, anchor: { call: act }, at: pool, values: { x: ${capture} }, say: "stake {x}" }`;
  const text = marketFile(`rules:\n  - ${rule}\n`).replace("abi:\n", `abi:\n${abi}`);
  const { files, diagnostics } = compileTexts({ market: text });
  return { capture: files[0]?.rules[0]?.captures.get("x"), found: diagnostics.map(({ message }) => message) };
}

function tell(capture: CompiledCapture | undefined, pieces: unknown) {
  const policy = { wellKnown: new Set<string>(), suspects: new Set<never>(), unlimited: new Set<bigint>() };
  const names = new AssetNames(caseOf(), shippedLabels(), policy, shippedTeller());
  const writer = new ValueWriter(shippedLabels(), names, { teller: shippedTeller(), flows: {} } as never);
  const context = { args: [bob, 7n, pieces, -1n], call: { to: pool } };
  const amounts = names.record();
  const text = writer.value(capture as never, { rule: { tier: 0 }, context, facet: null, zeros: false } as never)?.text;
  return { text, amounts: [...amounts] };
}

describe("pieces of an NFT", () => {
  it("are told with it, and are the amount of a loss that the sentence tells", () => {
    const { capture, found } = compile("{ nft: to, id: id, pieces: n }");
    expect(found).toEqual([]);
    const name = `NFT #7 of ${shippedTeller().short(bob)}`;
    expect(tell(capture, 2n)).toEqual({ text: `2 × ${name}`, amounts: [{ key: `${bob}:7`, amount: 2n }] });
    expect(tell(capture, 1n)).toEqual({ text: name, amounts: [{ key: `${bob}:7`, amount: 1n }] });
    expect(tell(capture, undefined)).toEqual({ text: undefined, amounts: [] });
  });

  it("are a number, and nothing to other captures", () => {
    const { capture, found } = compile("{ nft: to, id: id, pieces: i }");
    expect(capture).toBeUndefined();
    expect(found.join()).toMatch(/args\.i.* int/);
    const entry = { does: "give {x}", capture: { x: { token: "args.to", pieces: "args.n" } } };
    const reported = [...checkCaptures({ entry, at: [] } as never)];
    expect(reported.map(([, , message]) => message)).toEqual(["`pieces` belongs to `nft`; the value is `token`"]);
  });
});
