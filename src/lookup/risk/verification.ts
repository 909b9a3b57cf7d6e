import type { Address } from "../../kernel/address.ts";
import type { VerifyQuestion } from "../../model/lookup-plan.ts";
import type { VerificationLookup } from "../../model/risk-lookups.ts";
import { type CodeContext, type ResolvedCode, resolveCode } from "./code-resolution.ts";
import type { AskPublished } from "./published-source.ts";

export interface LookContext extends CodeContext {
  /** ISO 8601 UTC: when the answers are dated. */
  time(): string;
}

/** Whether the code that runs at each address has published source. Every question gets an answer; never rejects. */
export async function lookUpVerification(
  questions: readonly VerifyQuestion[],
  askPublished: AskPublished,
  context: LookContext,
): Promise<Record<Address, VerificationLookup>> {
  const resolved = await resolveCode(questions, context);
  const answers = await Promise.all(
    questions.map(async ({ address }) => {
      const code = resolved.get(address);
      const judged = code === undefined ? unread : await judge(code, askPublished, context.signal);
      return [address, { ...judged, time: context.time() }] as const;
    }),
  );
  return Object.fromEntries(answers);
}

type Judged = Omit<VerificationLookup, "time">;

const unread: Judged = { status: "unavailable", source: "rpc", code: null, logic: [], via: [], owned: false };

async function judge(resolved: ResolvedCode, ask: AskPublished, signal: AbortSignal): Promise<Judged> {
  const { certain, ...facts } = resolved;
  if (!certain) return { status: "inconclusive", source: "rpc", ...facts };
  if (facts.code === "none") return { status: "absent", source: "rpc", ...facts };
  const answers = await Promise.all(facts.logic.map((address) => ask(address, signal)));
  const status = (["unavailable", "absent"] as const).find((wanted) =>
    answers.some((answer) => answer.status === wanted),
  );
  const sources = new Set(answers.map((answer) => answer.source));
  return { status: status ?? "found", source: [...sources].join(", "), ...facts };
}
