import { examine } from "../assess/examine.ts";
import { findVictims } from "../assess/poisoning.ts";
import type { SubjectAct } from "../assess/subject-act.ts";
import { readQuantity } from "../kernel/hex.ts";
import type { RiskPlan } from "../model/lookup-plan.ts";

/** What the lookups should answer for the flags and checks of this transaction. Pure; `lookupsMax` is the cap. */
export function planRisk(act: SubjectAct, lookupsMax: number): RiskPlan {
  const { file, tx, subject } = act;
  const { addresses, withCode } = examine(act);
  const victims = findVictims(act);
  return {
    verify: withCode.slice(0, lookupsMax).map(({ address, roles, selector }) => ({
      address,
      selector,
      owner: roles.includes("recipient") ? subject : null,
    })),
    // One victim can be looked up; with more of them the number alone tells.
    histories: victims.length === 1 ? [subject, ...victims] : [subject],
    listed: addresses.map(({ address }) => address),
    place: {
      hash: tx.hash,
      from: tx.from,
      nonce: toNumber(file.transaction.nonce),
      block: tx.blockNumber,
      index: toNumber(file.transaction.transactionIndex),
    },
  };
}

function toNumber(quantity: string | undefined): number | null {
  const value = readQuantity(quantity);
  return value === undefined ? null : Number(value);
}
