import { checksum } from "../../kernel/address.ts";
import type { RiskFinding } from "../../model/evidence.ts";
import { nameRole, openWithRole } from "../role.ts";
import type { SubjectAct } from "../subject-act.ts";
import type { Grant } from "./grants.ts";

/** Findings about ApprovalForAll: a flag where the emitter proves to be a collection, else evidence. */
export function judgeOperators(grants: readonly Grant[], act: SubjectAct): RiskFinding[] {
  return grants
    .filter((grant) => grant.kind === "operator")
    .map((grant): RiskFinding => {
      const found = { address: grant.grantee, role: "operator", evidence: grant.logs.map((log) => `log ${log}`) };
      const operator = nameRole("operator", grant.grantee);
      const collection = `the collection ${checksum(grant.token)}`;
      if (!grant.stands) {
        const detail = `The right of ${operator} over ${collection} was given and taken back in this transaction.`;
        return { flag: null, detail, basis: "revoked_in_tx", ...found };
      }
      if (!isCollection(grant, act)) {
        const detail = `A contract that does not prove to be a collection, ${checksum(grant.token)}, reported a right of ${operator}.`;
        return { flag: null, detail, basis: "unproven_emitter", ...found };
      }
      const known = act.labels.name(grant.grantee) === undefined ? "unknown_operator" : "labelled_operator";
      const detail = `${openWithRole("operator", grant.grantee)} may move every NFT that ${checksum(act.subject)} holds in ${collection}.`;
      return { flag: "approval_for_all", detail, basis: known, ...found };
    });
}

/** It answers ERC-165 as ERC-721 or ERC-1155, or NFTs of it moved in this transaction. */
function isCollection({ token }: Grant, { file, tx }: SubjectAct): boolean {
  const standard = file.tokens[token]?.standard ?? null;
  if (standard !== null) return true;
  return tx.movements.some((move) => move.token === token && move.tokenId !== null);
}
