import { type Address, isNativePlaceholder, readAddress } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import { distinct } from "../../kernel/lists.ts";
import { totalSupplySelector } from "../../kernel/token-standards.ts";
import type { Labels } from "../../model/label.ts";
import { gateMembers } from "../../rules/ruleset/compile/gate.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { namedTokens } from "../plan/named-tokens.ts";
import { membersReads } from "../plan/plan.ts";
import type { DecodedMessage } from "./decoded-message.ts";

/** Tokens that the answer will name. */
export function tokensOfMessage({ matched, carried, rights }: DecodedMessage): Address[] {
  if (matched === undefined) return [];
  const { context, rule } = matched;
  const flow = [...context.flow.gives, ...context.flow.gets].flatMap(({ token }) => token ?? []);
  const captured = namedTokens([{ rule, context }]);
  const inner = carried === null ? [] : namedTokens(carried.actions);
  return [...rights.map(({ token }) => token), ...flow, ...captured, ...inner].filter(
    (token) => !isNativePlaceholder(token),
  );
}

/** Supplies, to measure allowances, and proofs of the verifying contract. */
export function planMessageReads(
  { rights, asked }: DecodedMessage,
  ruleset: Ruleset,
  labels: Labels,
): { to: Address; data: Hex }[] {
  const supplies = rights.filter(({ amount }) => amount !== null).map(({ token }) => token);
  const measured = distinct(supplies)
    .slice(0, suppliesMax)
    .flatMap((to) => [{ to, data: totalSupplySelector }, ...membersReads(ruleset.limitedTokens, to)]);
  const contract = readAddress(asked.domain.verifyingContract);
  if (contract === undefined || labels.name(contract) !== undefined) return measured;
  const members = (ruleset.messages.get(asked.data?.typeHash ?? "") ?? []).flatMap(({ place }) =>
    place.kind === "contract" ? gateMembers(place.gate) : [],
  );
  return [...measured, ...membersReads(members, contract)];
}

const suppliesMax = 16;
