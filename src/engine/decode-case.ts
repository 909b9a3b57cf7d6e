import type { Address } from "../kernel/address.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { Transaction } from "../model/transaction.ts";
import type { Ruleset } from "../rules/ruleset/ruleset.ts";
import type { SubjectAct } from "./assess/subject-act.ts";
import { assessedAct } from "./assessed-act.ts";
import type { Matches } from "./match/candidate.ts";
import { match } from "./match/match.ts";
import { normalize } from "./normalize/normalize.ts";
import { type Settled, settle } from "./settle/settle.ts";
import { GateKeeper, precompilesIn } from "./unwrap/gates.ts";
import { type Unwrapped, unwrap } from "./unwrap/unwrap.ts";

/** What the stages from `normalize` to `settle` found out. */
export interface Decoded {
  unwrapped: Unwrapped;
  settled: Settled;
  /** The account whose act is told: the subject of the headline. */
  subject: Address;
  act: SubjectAct;
  /** What `match` left out because of a limit. */
  truncated: readonly string[];
}

/** Runs the stages from `normalize` to `settle`. Pure. */
export function decodeCase(file: CaseFile, ruleset: Ruleset, labels: Labels): Decoded {
  const normalized: Transaction = normalize(file, labels, precompilesIn(file, ruleset));
  const gates = new GateKeeper(normalized, file);
  const unwrapped: Unwrapped = unwrap(normalized, ruleset, gates);
  const matches: Matches = match(unwrapped, ruleset, gates);
  const settled: Settled = settle(matches, unwrapped, { grants: ruleset.grants, labels });
  const subject = settled.actions[0]?.context.subject ?? unwrapped.subject;
  const act = assessedAct({ file, unwrapped, settled, subject, ruleset, labels });
  return { unwrapped, settled, truncated: matches.truncated, subject, act };
}
