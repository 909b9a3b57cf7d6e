import type { MatchContext } from "../../model/match.ts";
import { reportProblems } from "./capture.ts";
import { type ConditionProblem, compileCondition } from "./condition.ts";
import type { PathScope } from "./path.ts";
import type { FileScope } from "./scope.ts";

/** Compiles the `where` of a rule or an attempt; a missing one always holds. */
export function whereOf(
  file: FileScope,
  scope: PathScope,
  where: unknown,
  at: (string | number)[],
): (context: MatchContext) => boolean {
  if (where === undefined) return () => true;
  const problems: ConditionProblem[] = [];
  const predicate = compileCondition(where, scope, problems);
  reportProblems(file, problems, at);
  return predicate;
}
