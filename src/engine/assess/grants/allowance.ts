import { type Address, isNativePlaceholder } from "../../../kernel/address.ts";
import { unlimitedThreshold } from "../../../kernel/amount.ts";
import { readHex } from "../../../kernel/hex.ts";
import { distinct } from "../../../kernel/lists.ts";
import { totalSupplySelector } from "../../../kernel/token-standards.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { GrantEvent } from "../../../rules/ruleset/grant-table.ts";
import { type PhraseId, type Statement, state } from "../../../rules/ruleset/wording/phrases.ts";
import { supplyLimits } from "../../unwrap/gates.ts";
import { nameRole } from "../examined/role.ts";
import type { Finding } from "../finding.ts";
import type { SubjectAct } from "../subject-act.ts";
import type { Grant } from "./grants.ts";

/** Unlimited ones get a flag; very large ones of unknown measure are evidence. */
export function judgeAllowances(grants: readonly Grant[], act: SubjectAct): Finding[] {
  if (grants.length === 0) return [];
  const supplies = readSupplies(act.file);
  const supplyMax = supplyLimits(act.file, act.ruleset, act.tx.logs);
  return grants.flatMap((grant): Finding[] => {
    if (grant.amount === null) return [];
    if (!grant.stands) return [takenBack(grant)];
    const basis = measure(grant, { supplies, supplyMax }, act);
    if (basis === null) return [];
    return [
      {
        // Too little is known about an unlisted token; no listed one has so much supply.
        flag:
          (basis === "very_large" && act.labels.token(grant.token) === undefined) || grant.uncertain
            ? null
            : "unlimited_approval",
        statement: stateGrant(grant, basis),
        address: grant.grantee,
        role: "spender",
        basis: `${basis}, ${grant.basis}`,
        evidence: grant.logs.map((log) => `log ${log}`),
      },
    ];
  });
}

/** Their supply could not be read. */
export function unmeasured(grants: readonly Grant[], { file, ruleset }: SubjectAct): Address[] {
  const { unlimited } = ruleset.grants;
  const tokens = grants
    .filter(({ amount, stands }) => stands && amount !== null && amount < unlimitedThreshold && !unlimited.has(amount))
    .map(({ token }) => token);
  if (tokens.length === 0) return [];
  const supplies = readSupplies(file);
  return distinct(tokens).filter((token) => supplies.get(token) === undefined && !isNativePlaceholder(token));
}

/** Whole tokens; very large for any token. */
const veryLargeFrom = 10n ** 15n;

type Basis = "sentinel" | "type_max" | "exceeds_supply" | "very_large";

interface Limits {
  supplies: Supplies;
  supplyMax: ReturnType<typeof supplyLimits>;
}

function measure(
  { manager, amount, token }: Grant,
  { supplies, supplyMax }: Limits,
  { file, labels }: SubjectAct,
): Basis | null {
  if (amount === null) return null;
  if (manager !== null && amount === manager.unlimited) return "type_max";
  if (amount >= unlimitedThreshold) return "sentinel";
  const label = labels.token(token);
  // Such a token stores its largest number for every larger approval.
  const bits = label?.allowanceBits;
  if (bits !== undefined && amount >= (1n << BigInt(bits)) - 1n) return "type_max";
  // No token of this kind can have so much supply.
  if (amount >= (supplyMax(token) ?? unlimitedThreshold)) return "sentinel";
  const supply = supplies.get(token);
  if (supply !== undefined && supply > 0n) return amount >= supply ? "exceeds_supply" : null;
  const decimals = label?.decimals ?? file.tokens[token]?.decimals ?? null;
  return decimals !== null && amount / 10n ** BigInt(decimals) >= veryLargeFrom ? "very_large" : null;
}

/** At the end of the transaction's block; undefined where it could not be read. */
type Supplies = ReadonlyMap<string, bigint | undefined>;

function readSupplies(file: CaseFile): Supplies {
  const supplies = new Map<string, bigint | undefined>();
  for (const read of file.reads) {
    const token = read.to.toLowerCase();
    if (read.data !== totalSupplySelector || supplies.has(token)) continue;
    const word = read.status === "found" ? readHex(read.result) : undefined;
    supplies.set(token, word?.length === 66 ? BigInt(word) : undefined);
  }
  return supplies;
}

function stateGrant(grant: Grant, basis: Basis): Statement {
  const much = state(words[basis], {});
  const token = isNativePlaceholder(grant.token) ? state("role.ether", {}) : nameRole("token", grant.token);
  const right = state("grant.right", { much, token, owner: grant.owner });
  const spender = nameRole("spender", grant.grantee);
  if (grant.uncertain) return state("grant.unclear", { spender, right });
  if (grant.basis === "event_only") return state("grant.reported", { spender, right });
  const { manager, expiration } = grant;
  if (manager === null) return state("grant.given", { spender, right });
  return state("grant.given_through", { spender, right, protocol: manager.protocol, end: endOf(expiration, manager) });
}

const words = {
  sentinel: "grant.unlimited",
  type_max: "grant.unlimited",
  exceeds_supply: "grant.exceeds_supply",
  very_large: "grant.very_large",
} as const satisfies Record<Basis, PhraseId>;

function endOf(expiration: bigint | null, { never }: GrantEvent): Statement {
  if (expiration === null || expiration === never) return state("grant.without_end", {});
  if (expiration === 0n) return state("grant.this_block", {});
  if (expiration >= 253_402_300_800n) return state("grant.far_end", {});
  return state("grant.until", { date: new Date(Number(expiration) * 1000).toISOString().slice(0, 10) });
}

function takenBack(grant: Grant): Finding {
  return {
    flag: null,
    statement: state("grant.taken_back", { spender: nameRole("spender", grant.grantee) }),
    address: grant.grantee,
    role: "spender",
    basis: "revoked_in_tx",
    evidence: grant.logs.map((log) => `log ${log}`),
  };
}
