import type { CaseFile } from "../../model/case-file.ts";
import type { LookupPlan, RiskPlan } from "../../model/lookup-plan.ts";
import type { RiskLookups } from "../../model/risk-lookups.ts";

/** Not in the earlier plan; null: nothing. */
export function beyond(plan: LookupPlan, asked: LookupPlan): LookupPlan | null {
  const tokens = without(plan.tokens, asked.tokens, (token) => token);
  const reads = without(plan.reads, asked.reads, ({ to, data }) => `${to}${data}`);
  const risk = {
    ...plan.risk,
    verify: without(plan.risk.verify, asked.risk.verify, verifyKey),
    histories: without(plan.risk.histories, asked.risk.histories, (account) => account),
    listed: without(plan.risk.listed, asked.risk.listed, (address) => address),
  };
  const rest = [tokens, reads, risk.verify, risk.histories, risk.listed];
  return rest.every((list) => list.length === 0) ? null : { tokens, reads, risk };
}

type Answers = Pick<CaseFile, "tokens" | "reads" | "risk">;

export function joinAnswers(first: Answers, second: Answers): Answers {
  const risk = joinRisk(first.risk, second.risk);
  return {
    tokens: { ...first.tokens, ...second.tokens },
    reads: [...first.reads, ...second.reads],
    ...(risk === undefined ? {} : { risk }),
  };
}

function joinRisk(first: RiskLookups | undefined, second: RiskLookups | undefined): RiskLookups | undefined {
  if (first === undefined || second === undefined) return second ?? first;
  const { drainers } = second;
  return {
    verification: { ...first.verification, ...second.verification },
    history: { ...first.history, ...second.history },
    drainers: {
      ...drainers,
      asked: [...new Set([...first.drainers.asked, ...drainers.asked])],
      hits: [...first.drainers.hits, ...drainers.hits],
    },
  };
}

function verifyKey({ address, selector, owner }: RiskPlan["verify"][number]): string {
  return `${address}${selector}${owner}`;
}

function without<T>(wanted: readonly T[], known: readonly T[], keyOf: (one: T) => string): T[] {
  const keys = new Set(known.map(keyOf));
  return wanted.filter((one) => !keys.has(keyOf(one)));
}
