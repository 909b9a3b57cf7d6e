import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assess } from "../../src/engine/assess/assess.ts";
import { assessedAct } from "../../src/engine/assessed-act.ts";
import { carriedBy } from "../../src/engine/carried-acts.ts";
import { openStatements } from "../../src/engine/ledger/statements.ts";
import { match } from "../../src/engine/match/match.ts";
import { normalize } from "../../src/engine/normalize/normalize.ts";
import { present } from "../../src/engine/present/present.ts";
import { measureCompleteness } from "../../src/engine/settle/completeness.ts";
import { settle } from "../../src/engine/settle/settle.ts";
import { decide, decodeCase } from "../../src/engine/spine.ts";
import { GateKeeper } from "../../src/engine/unwrap/gates.ts";
import { unwrap } from "../../src/engine/unwrap/unwrap.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Decision } from "../../src/model/decision.ts";
import { exampleCases } from "../../src/tools/lint/examples/examples.ts";
import { isUsable } from "../../src/tools/lint/rule-view.ts";
import { files, labels, recordings, ruleset } from "../property/world.ts";
import { deepFreeze } from "../support/deep-freeze.ts";
import { root } from "../support/shared.ts";

const recordingsDir = join(root, "test/transactions");

/** What decide does, with everything frozen that a stage hands to the next one. */
function decideFrozen(given: CaseFile, world: { ruleset: typeof ruleset; labels: typeof labels }): Decision {
  const file = deepFreeze(structuredClone(given));
  const normalized = deepFreeze(normalize(file, world.labels));
  const gates = new GateKeeper(normalized, file);
  const unwrapped = deepFreeze(unwrap(normalized, world.ruleset, gates));
  const matches = deepFreeze(match(unwrapped, world.ruleset, gates));
  const settled = deepFreeze(settle(matches, unwrapped, { grants: world.ruleset.grants, labels: world.labels }));
  const { tx } = unwrapped;
  const subject = settled.actions[0]?.context.subject ?? unwrapped.subject;
  const completeness = deepFreeze(measureCompleteness({ unwrapped, settled, subject }));
  const act = assessedAct({ file, unwrapped, settled, subject, ...world });
  const assessment = deepFreeze(assess(act));
  const carried = carriedBy(settled.actions, file, (held) => decodeCase(held, world));
  const statements = openStatements(unwrapped, settled, world);
  const found = { tx, unwrapped, settled, statements, subject, completeness, assessment, carried };
  return present({ ...found, file, ...world }).decision;
}

/** The bytes of the answer and of the evidence. */
function bytesOf({ explanation, evidence }: Decision): string {
  return JSON.stringify([explanation, evidence()]);
}

describe("no stage changes what an earlier one made", () => {
  it.each(recordings.map((file) => [file.tx_hash, file] as const))("for %s", (_hash, file) => {
    expect(bytesOf(decideFrozen(file, { ruleset, labels }))).toBe(bytesOf(decide(file, ruleset, labels)));
  });

  it("for every third example of a rule", () => {
    const scopes = new Map(files.filter(isUsable).map((file) => [file.document.protocol, file.scope]));
    const world = { ruleset, labels, recordingsDir, scopes: (protocol: string) => scopes.get(protocol) };
    let cases = 0;
    for (const file of files)
      for (const { caseFile } of exampleCases(file, world)) {
        if (cases++ % 3 > 0) continue;
        expect(bytesOf(decideFrozen(caseFile, world))).toBe(bytesOf(decide(caseFile, ruleset, labels)));
      }
    expect(cases).toBeGreaterThan(1_400);
  }, 60_000);

  it("and a stage that did would be caught", () => {
    const [file] = recordings as [CaseFile];
    const tx = deepFreeze(normalize(file, labels));
    expect(() => tx.movements.push(...tx.movements)).toThrow(TypeError);
    expect(() => (tx.weth as unknown as Set<string>).add("0x")).toThrow("the collection is frozen");
  });
});
