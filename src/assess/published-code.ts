import { checksum } from "../kernel/address.ts";
import type { RiskFinding } from "../model/evidence.ts";
import type { VerificationLookup } from "../model/risk-lookups.ts";
import type { Examined } from "./examine.ts";
import { nameRole } from "./role.ts";
import type { SubjectAct } from "./subject-act.ts";

/** How the lookup of one address ended for the check. `uncovered`: it would be a mistake to call the address examined. */
export type Coverage = "answered" | "failed" | "uncovered" | "undecidable" | "missing";

/** Contracts without published source among those examined. */
export function judgePublishedCode(examined: readonly Examined[], act: SubjectAct): RiskFinding[] {
  return examined.flatMap(({ address, roles: [role] }): RiskFinding[] => {
    const lookup = act.file.risk?.verification[address];
    if (lookup === undefined || lookup.status !== "absent" || lookup.code === "none" || lookup.code === null) return [];
    const logic = lookup.logic.filter((one) => one !== address);
    const detail =
      logic.length === 0
        ? `No source code is published for ${nameRole(role, address)}.`
        : `No source code is published for what runs behind ${nameRole(role, address)}: ${logic.map(checksum).join(", ")}.`;
    return [
      {
        flag: "unverified_contract",
        detail,
        address,
        role,
        basis: logic.length === 0 ? "code" : "implementation",
        evidence: [`lookup verification ${checksum(address)}`],
      },
    ];
  });
}

/** How far the verification check reached for one address. */
export function coverageOf({ address }: Examined, { file, tx }: SubjectAct): Coverage {
  const lookup: VerificationLookup | undefined = file.risk?.verification[address];
  if (lookup === undefined) return "missing";
  if (lookup.status === "unavailable") return "failed";
  if (lookup.status === "inconclusive") return lookup.via.includes("diamond") ? "uncovered" : "undecidable";
  // Something ran there and is gone: what it was cannot be told any more.
  if (lookup.code === "none" && tx.logs.some((log) => log.address === address)) return "undecidable";
  return "answered";
}
