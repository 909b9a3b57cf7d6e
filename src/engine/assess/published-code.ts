import { checksum } from "../../kernel/address.ts";
import type { VerificationLookup } from "../../model/risk-lookups.ts";
import { state } from "../../rules/ruleset/wording/phrases.ts";
import type { Examined } from "./examined/examine.ts";
import { nameRole } from "./examined/role.ts";
import type { Finding } from "./finding.ts";
import type { SubjectAct } from "./subject-act.ts";

/** `uncovered`: a diamond, of which one lookup does not see all code. `missing`: not looked up. */
export type Coverage = "answered" | "failed" | "uncovered" | "undecidable" | "missing";

export function judgePublishedCode(examined: readonly Examined[], act: SubjectAct): Finding[] {
  return examined.flatMap(({ address, roles: [role] }): Finding[] => {
    const lookup = act.file.risk?.verification[address];
    if (lookup === undefined || lookup.status !== "absent" || lookup.code === "none" || lookup.code === null) return [];
    const logic = lookup.logic.filter((one) => one !== address);
    const party = nameRole(role, address);
    const statement =
      logic.length === 0 ? state("flag.unverified", { party }) : state("flag.unverified_behind", { party, logic });
    return [
      {
        flag: "unverified_contract",
        statement,
        address,
        role,
        basis: logic.length === 0 ? "code" : "implementation",
        evidence: [`lookup verification ${checksum(address)}`],
      },
    ];
  });
}

export function coverageOf({ address }: Examined, { file, tx }: SubjectAct): Coverage {
  const lookup: VerificationLookup | undefined = file.risk?.verification[address];
  if (lookup === undefined) return "missing";
  if (lookup.status === "unavailable") return "failed";
  if (lookup.status === "inconclusive") return lookup.via.includes("diamond") ? "uncovered" : "undecidable";
  // Code ran there and is gone now.
  if (lookup.code === "none" && tx.logs.some((log) => log.address === address)) return "undecidable";
  return "answered";
}
