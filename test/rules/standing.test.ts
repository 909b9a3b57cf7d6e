import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../src/engine/match/candidate.ts";
import { match } from "../../src/engine/match/match.ts";
import { normalize } from "../../src/engine/normalize/normalize.ts";
import { GateKeeper } from "../../src/engine/unwrap/gates.ts";
import { unwrap } from "../../src/engine/unwrap/unwrap.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { loadLabels } from "../../src/rules/labels/load.ts";
import { loadRuleset } from "../../src/rules/ruleset/load.ts";
import { comparePrecedence, joinFiles } from "../../src/tools/lint/checks/set/rule-set.ts";
import { isUsable, type RuleView } from "../../src/tools/lint/rule-view.ts";
import { root } from "../support/shared.ts";

const { ruleset, files } = loadRuleset(join(root, "rules"));
const { labels } = loadLabels(join(root, "labels"), ruleset.names);
const set = joinFiles(files.filter(isUsable), new Set());
const views = new Map<Candidate["rule"], RuleView>(set.views.map((view) => [view.rule, view]));
const recordings = readdirSync(join(root, "test/transactions")).filter((name) => name.endsWith(".json"));

/**
 * Pairs of rules that mean different things and fit the same evidence of a recorded case, where only their names decide which one goes
 * first.
 */
function tiesIn(name: string): string[] {
  const file = JSON.parse(readFileSync(join(root, "test/transactions", name), "utf8")) as CaseFile;
  const tx = normalize(file, labels);
  const gates = new GateKeeper(tx, file);
  const { candidates } = match(unwrap(tx, ruleset, gates), ruleset, gates);
  return candidates.flatMap((a, i) =>
    candidates.slice(i + 1).flatMap((b) => {
      const [one, other] = [views.get(a.rule), views.get(b.rule)] as [RuleView, RuleView];
      const meaning = a.rule.action !== b.rule.action || a.rule.protocol !== b.rule.protocol;
      const shared = (["logs", "calls", "movements"] as const).some((kind) =>
        a[kind].some((id) => b[kind].includes(id)),
      );
      const ordered = a.position !== b.position || comparePrecedence(one, other, set.overrides) !== 0;
      return meaning && shared && !ordered ? [`${name}: ${a.rule.id} and ${b.rule.id}`] : [];
    }),
  );
}

describe("the name of a rule", () => {
  it("never decides what a recorded transaction means", () => {
    expect(recordings.length).toBeGreaterThan(100);
    expect(recordings.flatMap(tiesIn)).toEqual([]);
  });
});
