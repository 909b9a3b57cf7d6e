import { counted } from "../../../kernel/amount.ts";
import { type MutationKind, mutationKinds, refusedKinds } from "./mutant.ts";
import type { MutationReport, Survivor } from "./mutate.ts";

/** The report for people: every survivor by kind, then the share of killed forgeries. Ends with a newline. */
export function formatMutations(report: MutationReport): string {
  const kinds = Object.keys(mutationKinds) as MutationKind[];
  const blocks = kinds.flatMap((kind) => {
    const own = report.survivors.filter((survivor) => survivor.kind === kind);
    return own.length === 0 ? [] : [`${kind}: ${mutationKinds[kind]}`, ...own.map(survivorText), ""];
  });
  const needless = report.needless.map(
    ({ rule, kind }) => `  ${rule} gives a reason for ${kind}, and nothing survives`,
  );
  if (needless.length > 0) needless.push("");
  const untested = report.untested.map((rule) => `  ${rule} has no example that could be forged`);
  if (untested.length > 0) untested.push("");
  const rates = kinds.map((kind) => rateText(kind, [report.kinds[kind]]));
  const total = `${rateText("all", Object.values(report.kinds))}, ${counted(report.rules.length, "rule")}`;
  return `${[...blocks, ...needless, ...untested, ...rates, total].join("\n")}\n`;
}

/** Survivors that make the run fail: a forgery of a kind that no rule may believe, without a reason in the rule. */
export function unexcused(report: MutationReport): Survivor[] {
  return report.survivors.filter(({ kind, reason }) => refusedKinds.includes(kind) && reason === null);
}

function survivorText({ file, rule, example, change, problem, stands, summary, reason }: Survivor): string {
  const instead = stands.length === 0 ? "nothing stands" : `stands: ${stands.join(", ")}`;
  const right = reason === null ? "" : `\n    the rule says why: ${reason}`;
  return `  ${rule}  (${file}, example "${example}")\n    ${change}: ${problem}; ${instead}\n    ${summary}${right}`;
}

function rateText(name: string, counts: readonly { mutants: number; killed: number }[]): string {
  const mutants = counts.reduce((sum, one) => sum + one.mutants, 0);
  const killed = counts.reduce((sum, one) => sum + one.killed, 0);
  return `${name.padEnd(17)} ${rateOf(killed, mutants)}  ${killed} of ${mutants} killed`;
}

/** A percentage with one decimal. It is rounded down, so it is never 100 while one survives; a dash where nothing was forged. */
function rateOf(killed: number, mutants: number): string {
  if (mutants === 0) return "    -  ";
  const tenths = Math.floor((killed * 1000) / mutants);
  return `${(tenths / 10).toFixed(1).padStart(5)} %`;
}
