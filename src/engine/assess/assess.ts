import type { Address } from "../../kernel/address.ts";
import { distinct } from "../../kernel/lists.ts";
import { type Statement, state } from "../../rules/ruleset/wording/phrases.ts";
import { type CheckResults, recordChecks } from "./checks.ts";
import { type Examination, type Examined, examine } from "./examined/examine.ts";
import { nameRole } from "./examined/role.ts";
import { judgeFailure } from "./failure.ts";
import type { Finding } from "./finding.ts";
import { findUntrusted, judgeFirstContact } from "./first-contact.ts";
import { judgeAllowances } from "./grants/allowance.ts";
import type { Grant } from "./grants/grants.ts";
import { judgePoisoning } from "./poisoning.ts";
import { judgePublishedCode } from "./published-code.ts";
import type { SubjectAct } from "./subject-act.ts";
import { judgeTokenNames } from "./tokens/token-names.ts";

/** Not yet in words. */
export interface Assessment {
  /** Flags, and evidence too weak for a flag. */
  findings: readonly Finding[];
  checks: CheckResults;
  /** Tokens with a misleading symbol or name; sentences do not show it. */
  suspects: ReadonlySet<Address>;
  /** About address poisoning, to be added to the summary. */
  remark: Statement | null;
  /** The most important first. */
  examined: readonly Examined[];
  /** Of the principals. */
  grants: readonly Grant[];
}

const nobody: ReadonlySet<Address> = new Set();

/** A flag needs evidence in the case file; a missing answer raises none. */
export function assess(act: SubjectAct): Assessment {
  const examination = examine(act);
  const untrusted = findUntrusted(examination.withCode, act);
  const names = judgeTokenNames(tokensOf(act, examination), act);
  const poisoning = judgePoisoning(act, namedIn(names.filter(({ flag }) => flag === "impersonated_token")));
  const findings: Finding[] = [];
  const add = (found: readonly Finding[]): void => {
    for (const one of found) findings.push(one);
  };
  add(judgeFailure(act));
  add(judgeDrainers([...examination.addresses, ...examination.actors], act));
  add(judgeAllowances(examination.grants, act));
  add(judgeOperators(examination.grants, act));
  add(names);
  add(judgePublishedCode(examination.withCode, act));
  add(judgeFirstContact(untrusted, act));
  add(poisoning.findings);
  return {
    findings,
    checks: recordChecks(examination, untrusted, act),
    suspects: namedIn(names),
    remark: poisoning.remark,
    examined: examination.addresses,
    grants: examination.grants,
  };
}

function namedIn(findings: readonly Finding[]): ReadonlySet<Address> {
  return findings.length === 0 ? nobody : new Set(findings.flatMap(({ address }) => address ?? []));
}

/** The subject's first. */
function tokensOf({ tx, subject }: SubjectAct, { grants }: Examination): Address[] {
  if (grants.length + tx.movements.length === 0) return [];
  const own: Address[] = grants.map(({ token }) => token);
  const others: Address[] = [];
  for (const { token, from, to } of tx.movements)
    if (token !== null) (from === subject || to === subject ? own : others).push(token);
  return distinct([...own, ...others]);
}

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
