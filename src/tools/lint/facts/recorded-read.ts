import { normalize } from "../../../engine/normalize/normalize.ts";
import { GateKeeper } from "../../../engine/unwrap/gates.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Labels } from "../../../model/label.ts";
import type { LoadedFile } from "../../../rules/ruleset/compile-documents.ts";
import type { CompiledMember } from "../../../rules/ruleset/compiled.ts";
import type { ChainCheck } from "./chain-check.ts";
import type { CitedFact } from "./cited-fact.ts";
import { absent, type CheckedSource, found, moved, uncheckable, type Verdict } from "./verdict.ts";

/** Reads at the newest block. A registry that answers otherwise has changed (`moved`). */
export function repeatReads(
  cases: readonly CaseFile[],
  factOf: (address: string) => CitedFact | undefined,
): ChainCheck[] {
  const seen = new Set<string>();
  return cases.flatMap((file) =>
    file.reads.flatMap(({ status, to, data, result }): ChainCheck[] => {
      const fact = factOf(to);
      if (fact === undefined || status !== "found" || result === null || seen.has(to + data)) return [];
      seen.add(to + data);
      const judge = ([answer]: readonly unknown[]): Verdict => {
        if (answer === result) return found;
        return answer === undefined ? absent("the registry no longer answers") : moved(`it answers ${answer} by now`);
      };
      return [
        { fact, source: `read ${data}`, calls: [{ method: "eth_call", params: [{ to, data }, "latest"] }], judge },
      ];
    }),
  );
}

/**
 * CREATE2 (EIP-1014): `found` where one recorded contract follows from the deployer, the code hash and its own answers. Members of other
 * factories do not count.
 */
export function recomputeMembers(
  files: readonly LoadedFile[],
  { cases, labels, facts }: { cases: readonly CaseFile[]; labels: Labels; facts: readonly CitedFact[] },
): CheckedSource[] {
  const keepers = cases.map((file) => {
    return { keeper: new GateKeeper(normalize(file, labels), file), asked: new Set(file.reads.map(({ to }) => to)) };
  });
  return files.flatMap((file) =>
    [...(file.scope?.members ?? [])].flatMap(([role, member]): CheckedSource[] => {
      const proof = member.proofs.find(({ kind }) => kind === "create2");
      const fact = facts.find((one) => one.file === file.source.file);
      if (proof?.kind !== "create2" || fact === undefined) return [];
      const alone: CompiledMember = { role, proofs: [proof] };
      const proven = keepers.some(({ keeper, asked }) =>
        [...asked].some((address) => keeper.admits({ kind: "proof", member: alone }, address, address)),
      );
      const verdict = proven ? found : uncheckable("no recording holds the answers of such a member");
      return [
        { fact: { ...fact, role, address: proof.deployer, label: `${role} (CREATE2)` }, source: "create2", ...verdict },
      ];
    }),
  );
}
