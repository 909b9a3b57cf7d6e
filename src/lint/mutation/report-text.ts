import { type MutationKind, mutationKinds } from "./mutant.ts";
import type { MutationReport, Survivor } from "./mutate.ts";

/** For people: every survivor by kind, then the kill rates. Ends with a newline. */
export function formatMutations(report: MutationReport): string {
  const kinds = Object.keys(mutationKinds) as MutationKind[];
  const blocks = kinds.flatMap((kind) => {
    const own = report.survivors.filter((survivor) => survivor.kind === kind);
    return own.length === 0 ? [] : [`${kind}: ${mutationKinds[kind]}`, ...own.map(survivorText), ""];
  });
  const untested = report.untested.map((rule) => `  ${rule} has no example that could be forged`);
  return `${[...blocks, ...(untested.length > 0 ? [...untested, ""] : []), ...kinds.map((kind) => rateText(report, kind)), totalText(report)].join("\n")}\n`;
}

/** True when a rule takes the word of an untrusted contract: what must never be. */
export function believesUntrusted(report: MutationReport): boolean {
  return report.survivors.some(({ kind }) => kind === "foreign-emitter");
}

function survivorText({ file, rule, example, change, problem, stands }: Survivor): string {
  const instead = stands.length === 0 ? "nothing stands" : `stands: ${stands.join(", ")}`;
  return `  ${rule}  (${file}, example "${example}")\n    ${change}: ${problem}; ${instead}`;
}

function rateText({ kinds }: MutationReport, kind: MutationKind): string {
  const { mutants, killed } = kinds[kind];
  return `${kind.padEnd(16)} ${rateOf(killed, mutants)}  ${killed} of ${mutants} killed`;
}

function totalText({ kinds, rules }: MutationReport): string {
  const all = Object.values(kinds);
  const mutants = all.reduce((sum, kind) => sum + kind.mutants, 0);
  const killed = all.reduce((sum, kind) => sum + kind.killed, 0);
  return `${"all".padEnd(16)} ${rateOf(killed, mutants)}  ${killed} of ${mutants} killed, ${rules.length} rules`;
}

/** One decimal, and never 100 while one is left; a dash where there was nothing to forge. */
function rateOf(killed: number, mutants: number): string {
  if (mutants === 0) return "    -  ";
  const tenths = Math.floor((killed * 1000) / mutants);
  return `${(tenths / 10).toFixed(1).padStart(5)} %`;
}
