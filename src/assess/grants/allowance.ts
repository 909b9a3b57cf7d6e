import { toFunctionSelector } from "viem";
import { type Address, checksum } from "../../kernel/address.ts";
import { permit2Max, unlimitedThreshold } from "../../kernel/amount.ts";
import { readHex } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { RiskFinding } from "../../model/evidence.ts";
import type { Labels } from "../../model/label.ts";
import { nameRole, openWithRole } from "../role.ts";
import type { SubjectAct } from "../subject-act.ts";
import type { Grant } from "./grants.ts";

/** Findings about allowances: practically endless ones are flagged, very large ones of unknown measure are evidence. */
export function judgeAllowances(grants: readonly Grant[], act: SubjectAct): RiskFinding[] {
  return grants.flatMap((grant): RiskFinding[] => {
    if (grant.amount === null) return [];
    if (!grant.stands) return [takenBack(grant)];
    const basis = measure(grant, act.file, act.labels);
    if (basis === null) return [];
    const found = { address: grant.grantee, role: "spender", basis: `${basis}, ${grant.basis}` };
    const evidence = grant.logs.map((log) => `log ${log}`);
    return [
      {
        flag: basis === "very_large" ? null : "unlimited_approval",
        detail: tell(grant, basis, act),
        ...found,
        evidence,
      },
    ];
  });
}

/** Tokens whose supply nobody could read, so that large allowances of them were not measured. */
export function unmeasured(grants: readonly Grant[], file: CaseFile): Address[] {
  const tokens = grants
    .filter(({ amount, stands }) => stands && amount !== null && amount < unlimitedThreshold && amount !== permit2Max)
    .map(({ token }) => token)
    .filter((token) => readSupply(file, token) === undefined);
  return [...new Set(tokens)];
}

/** Tokens that keep allowances in 96 bits store this for every larger approval. */
const uint96Max = (1n << 96n) - 1n;
/** Whole tokens: more than any token's supply is worth. */
const veryLargeFrom = 10n ** 15n;

const totalSupplyCall = toFunctionSelector("totalSupply()");

type Basis = "sentinel" | "type_max" | "exceeds_supply" | "very_large";

function measure({ kind, amount, token }: Grant, file: CaseFile, labels: Labels): Basis | null {
  if (amount === null) return null;
  if (amount >= unlimitedThreshold) return "sentinel";
  if (kind === "permit2" && amount === permit2Max) return "type_max";
  const label = labels.token(token);
  if (label?.allowanceBits === 96 && amount >= uint96Max) return "type_max";
  const supply = readSupply(file, token);
  if (supply !== undefined && supply > 0n) return amount >= supply ? "exceeds_supply" : null;
  const decimals = label?.decimals ?? file.tokens[token]?.decimals ?? null;
  return decimals !== null && amount / 10n ** BigInt(decimals) >= veryLargeFrom ? "very_large" : null;
}

/** Total supply after the transaction's block; undefined when it could not be read at that block. */
function readSupply(file: CaseFile, token: Address): bigint | undefined {
  const read = file.reads.find(({ to, data }) => to.toLowerCase() === token && data === totalSupplyCall);
  const word = read?.status === "found" ? readHex(read.result) : undefined;
  return word?.length === 66 ? BigInt(word) : undefined;
}

function tell(grant: Grant, basis: Basis, { subject }: SubjectAct): string {
  const much = {
    sentinel: "an effectively unlimited amount",
    type_max: "an effectively unlimited amount",
    exceeds_supply: "more than there is",
    very_large: "a very large amount",
  }[basis];
  const right = `may take ${much} of ${nameRole("token", grant.token)} from ${checksum(subject)}`;
  const through = grant.kind === "permit2" ? ` through Permit2, ${endOf(grant.expiration)}` : "";
  if (grant.basis === "call") return `${openWithRole("spender", grant.grantee)} ${right}${through}.`;
  return `The token contract reported that ${nameRole("spender", grant.grantee)} ${right}.`;
}

/** Permit2: 0 is this block only, the largest uint48 is never. */
function endOf(expiration: bigint | null): string {
  if (expiration === null || expiration >= (1n << 48n) - 1n) return "without end";
  if (expiration === 0n) return "in the block of the transaction only";
  if (expiration >= 253_402_300_800n) return "without end in sight";
  return `until ${new Date(Number(expiration) * 1000).toISOString().slice(0, 10)}`;
}

function takenBack(grant: Grant): RiskFinding {
  return {
    flag: null,
    detail: `The allowance of ${nameRole("spender", grant.grantee)} was given in this transaction and is zero at its end.`,
    address: grant.grantee,
    role: "spender",
    basis: "revoked_in_tx",
    evidence: grant.logs.map((log) => `log ${log}`),
  };
}
