import { state } from "../../../rules/ruleset/wording/phrases.ts";
import { nameRole } from "../examined/role.ts";
import type { Finding } from "../finding.ts";
import type { SubjectAct } from "../subject-act.ts";
import type { Grant } from "./grants.ts";

/** ApprovalForAll: a flag where the emitter is proven to be a collection, else evidence. */
export function judgeOperators(grants: readonly Grant[], act: SubjectAct): Finding[] {
  return grants
    .filter((grant) => grant.kind === "operator")
    .map((grant): Finding => {
      const found = { address: grant.grantee, role: "operator", evidence: grant.logs.map((log) => `log ${log}`) };
      const operator = nameRole("operator", grant.grantee);
      const collection = grant.token;
      if (!grant.stands) {
        const statement = state("operator.taken_back", { operator, collection });
        return { flag: null, statement, basis: "revoked_in_tx", ...found };
      }
      if (!isCollection(grant, act)) {
        const statement = state("operator.unproven", { operator, emitter: grant.token });
        return { flag: null, statement, basis: "unproven_emitter", ...found };
      }
      const known = act.labels.name(grant.grantee) === undefined ? "unknown_operator" : "labelled_operator";
      const statement = state("operator.given", { operator, owner: grant.owner, collection });
      return { flag: "approval_for_all", statement, basis: known, ...found };
    });
}

/** Answers ERC-165 as ERC-721 or ERC-1155, or NFTs of it moved here. */
function isCollection({ token }: Grant, { file, tx, signed }: SubjectAct): boolean {
  // Before a signature one warning too many is better than one too few.
  if (tx.mode === "requested" || signed !== null) return true;
  const standard = file.tokens[token]?.standard ?? null;
  if (standard !== null) return true;
  return tx.movements.some((move) => move.token === token && move.tokenId !== null);
}
