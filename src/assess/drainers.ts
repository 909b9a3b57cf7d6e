import type { RiskFinding } from "../model/evidence.ts";
import type { Examined } from "./examine.ts";
import { openWithRole } from "./role.ts";
import type { SubjectAct } from "./subject-act.ts";

/** Examined addresses that a drainer list names, once for each list. */
export function judgeDrainers(examined: readonly Examined[], { file }: SubjectAct): RiskFinding[] {
  const drainers = file.risk?.drainers;
  if (drainers === undefined) return [];
  return examined.flatMap(({ address, roles: [role] }) =>
    drainers.hits
      .filter((hit) => hit.address === address)
      .map((hit): RiskFinding => {
        const snapshot = drainers.lists.find((list) => list.name === hit.list)?.snapshot_time ?? null;
        const dated = snapshot === null ? "" : `, as of ${snapshot.slice(0, 10)}`;
        return {
          flag: "known_drainer",
          detail: `${openWithRole(role, address)} is on the drainer list ${hit.list}${dated}.`,
          address,
          role,
          basis: hit.list,
          evidence: ["lookup drainers"],
        };
      }),
  );
}
