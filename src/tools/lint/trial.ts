import { match } from "../../engine/match/match.ts";
import { normalize } from "../../engine/normalize/normalize.ts";
import { settle } from "../../engine/settle/settle.ts";
import { GateKeeper, precompilesIn } from "../../engine/unwrap/gates.ts";
import { unwrap } from "../../engine/unwrap/unwrap.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";

export interface TrialWorld {
  ruleset: Ruleset;
  labels: Labels;
}

export type Trial = ReturnType<typeof tryCase>;

/** Runs the stages from normalize to settle. `actions`: the headline first. */
export function tryCase(file: CaseFile, { ruleset, labels }: TrialWorld) {
  const normalized = normalize(file, labels, precompilesIn(file, ruleset));
  const gates = new GateKeeper(normalized, file);
  const unwrapped = unwrap(normalized, ruleset, gates);
  const settled = settle(match(unwrapped, ruleset, gates), unwrapped, { grants: ruleset.grants, labels });
  return { tx: unwrapped.tx, gates, unwrapped, settled, subject: unwrapped.subject, actions: settled.actions };
}
