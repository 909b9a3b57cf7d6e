import { encodeFunctionData } from "viem/utils";
import type { Address } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Movement } from "../../model/transaction.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import type { StolenLogs } from "./call-tree.ts";
import { newViolation } from "./case-outcome.ts";
import { judgeByRule, type Mutant, type Original } from "./mutant.ts";
import { redirect } from "./redirect.ts";
import { greedyStageOf, type SetStage, stagesOf } from "./stage.ts";
import { forgers, isNamed, judgeLoss, tokenAbi } from "./stranger.ts";

/** What the subject gave goes to a stranger, all else stays: whoever is not told of him believes that the protocol has it. */
export function divertedPayments(original: Original): Mutant[] {
  const { front, thief } = forgers;
  const { caseFile } = original;
  const moves = movesOf(original, "gives");
  const redirected = redirect(caseFile, moves, thief);
  const stages = redirected === undefined ? [] : stagesOf(original);
  const mutants = stages.map((stage) => {
    const forged = stage.set(redirected as CaseFile, stolenLogs(moves));
    return diverted(original, `what the subject gives goes to a stranger, ${stage.name}`, forged, thief, stage);
  });
  const greedy = moves.some(({ basis }) => basis === "transaction") ? greedyStageOf(original) : undefined;
  if (greedy === undefined) return mutants;
  const kept = greedy.set(caseFile, new Map());
  return [...mutants, diverted(original, "the ether stays with a stranger's contract", kept, front, greedy)];
}

function diverted(
  { candidate }: Original,
  change: string,
  caseFile: CaseFile,
  to: Address,
  { before }: SetStage,
): Mutant {
  const { subject } = candidate.context;
  return { kind: "diverted-payment", change, caseFile, judge: (outcome) => judgeLoss(outcome, subject, to, before) };
}

/** What the subject got goes to a stranger, all else stays. A protocol pays out to whom it is told. */
export function otherBeneficiaries(original: Original): Mutant[] {
  const { thief } = forgers;
  const byRule = judgeByRule(original);
  const forged = redirect(original.caseFile, movesOf(original, "gets"), thief);
  if (forged === undefined) return [];
  return [
    {
      kind: "other-beneficiary",
      change: "what the subject gets goes to a stranger",
      caseFile: forged,
      judge(outcome) {
        const { partial } = outcome.decision.explanation;
        // What an account got in ether cannot be known without a list of its movements, and the answer says so.
        if (isNamed(outcome, thief) || (partial && outcome.caseFile.trace.source === "none")) return null;
        const { subject } = original.candidate.context;
        if (byRule(outcome) !== null) return "the stranger is not told";
        return newViolation(outcome, original.outcome, [subject, thief]);
      },
    },
  ];
}

/** What the subject gave or got, net; nothing for what reverted. */
function movesOf({ trial: { tx }, candidate }: Original, side: "gives" | "gets"): Movement[] {
  const { subject } = candidate.context;
  const end = side === "gives" ? "from" : "to";
  const indexes = balanceChanges(tx, subject)[side].flatMap((asset) => asset.movements);
  const moves = indexes.map((index) => tx.movements[index] as Movement);
  return moves.filter((move) => move[end] === subject && move.from !== move.to && !move.fee);
}

function stolenLogs(moves: readonly Movement[]): StolenLogs {
  return new Map(
    moves.map(({ log, from, amount }) => {
      const args = [from, forgers.thief, amount] as const;
      return [log, encodeFunctionData({ abi: tokenAbi, functionName: "transferFrom", args })];
    }),
  );
}
