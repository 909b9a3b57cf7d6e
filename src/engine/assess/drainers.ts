import { state } from "../../rules/ruleset/wording/phrases.ts";
import type { Examined } from "./examined/examine.ts";
import { nameRole } from "./examined/role.ts";
import type { Finding } from "./finding.ts";
import type { SubjectAct } from "./subject-act.ts";

/** One for each list that names the address. */
export function judgeDrainers(examined: readonly Examined[], { file }: SubjectAct): Finding[] {
  const drainers = file.risk?.drainers;
  if (drainers === undefined || drainers.hits.length === 0) return [];
  return examined.flatMap(({ address, roles: [role] }) =>
    drainers.hits
      .filter((hit) => hit.address === address)
      .map((hit): Finding => {
        const snapshot = drainers.lists.find((list) => list.name === hit.list)?.snapshot_time ?? null;
        const named = { party: nameRole(role, address), list: hit.list };
        return {
          flag: "known_drainer",
          statement:
            snapshot === null
              ? state("flag.drainer", named)
              : state("flag.drainer_dated", { ...named, date: snapshot.slice(0, 10) }),
          address,
          role,
          basis: hit.list,
          evidence: ["lookup drainers"],
        };
      }),
  );
}
