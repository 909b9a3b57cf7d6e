import { checksum } from "../../../kernel/address.ts";
import { transferTopic } from "../../../kernel/token-standards.ts";
import { withLogs } from "./edit-case.ts";
import type { Mutant, Original } from "./mutant.ts";
import { nativeTrace } from "./planted-event.ts";
import { forgers, isLossTold, isNamed, plainToken, stolenAmount, tokenLog } from "./stranger.ts";

/**
 * Somebody else calls a stranger's contract and loses a listed token. The example's logs are written before or after that. The answer must
 * tell the victim's loss.
 */
export function sideShows(original: Original): Mutant[] {
  const { caseFile, trial, world } = original;
  const { victim, front, thief } = forgers;
  const token = plainToken(world.labels, caseFile);
  if (trial.tx.status === "reverted" || token === undefined) return [];
  const loss = tokenLog(transferTopic, token.address, [victim, thief], stolenAmount(token));
  const { logs } = caseFile.receipt;
  const envelope = { hash: caseFile.tx_hash, type: "0x2", from: victim, to: front, value: "0x0", input: "0x12345678" };
  const forged = { ...caseFile, transaction: envelope, trace: nativeTrace(original) };
  return [
    { change: "before somebody else's loss", logs: [...logs, loss] },
    { change: "after somebody else's loss", logs: [loss, ...logs] },
  ].map(({ change, logs }) => ({
    kind: "side-show",
    change,
    caseFile: withLogs(forged, logs),
    judge: (outcome) => {
      if (!isNamed(outcome, victim)) return "the victim is not told";
      if (!isLossTold(outcome, thief)) return "the loss is not told";
      return outcome.violations().find((violation) => violation.includes(checksum(victim))) ?? null;
    },
  }));
}
