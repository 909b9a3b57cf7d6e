import { groupThousands } from "../../../kernel/amount.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Labels } from "../../../model/label.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Teller } from "../teller/teller.ts";

/** Has or needs more gas than one transaction may have; silent where a node said so. */
export function tellGasCap({ file, labels }: { file: CaseFile; labels: Labels }, teller: Teller): Phrase[] {
  const { simulation, transaction, receipt, block } = file;
  if (simulation === undefined || simulation.refusal !== null) return [];
  const cap = labels.calendar.gasCap(Number(readQuantity(block.number) ?? 0n) + 1);
  if (cap === null) return [];
  const values = { cap: groupThousands(cap.toString()) };
  if ((readQuantity(transaction.gas) ?? 0n) > cap) return [teller.say("preview.gas_limit_over_cap", values)];
  if (simulation.method !== "none" && (readQuantity(receipt.gasUsed) ?? 0n) > cap)
    return [teller.say("preview.gas_used_over_cap", values)];
  return [];
}
