import { readAddress } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import { distinct, heaviestFirst } from "../../kernel/lists.ts";
import type { Labels } from "../../model/label.ts";
import type { LookupPlan } from "../../model/lookup-plan.ts";
import type { MessageDecision } from "../../model/told/message-explanation.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import { type Asked, readAsked } from "../../rules/typed-data/asked.ts";
import { accountsIn } from "../../rules/typed-data/fields.ts";
import { refuseData, shownValue } from "../../rules/typed-data/typed-data-error.ts";
import { assess } from "../assess/assess.ts";
import { carriedBy } from "../carried-acts.ts";
import { decodeCarried } from "../carried-call.ts";
import { matchAuthorization } from "../match/messages/match-authorization.ts";
import { type MatchedMessage, type MessageWorld, matchMessage } from "../match/messages/match-message.ts";
import type { GivenRight } from "../match/messages/signed-offer.ts";
import { type Weigh, weigherOf } from "../money/weight.ts";
import { normalize } from "../normalize/normalize.ts";
import { planRisk } from "../plan/risk-plan.ts";
import { presentMessage } from "../present/message/message.ts";
import { namedAddresses } from "../settle/named-addresses.ts";
import { decodeCase } from "../spine.ts";
import { GateKeeper } from "../unwrap/gates.ts";
import { carriedRights } from "./carried-rights.ts";
import type { DecodedMessage } from "./decoded-message.ts";
import { type MessageInput, messageCase } from "./message-case.ts";
import { planMessageReads, tokensOfMessage } from "./message-plan.ts";
import { signedAct } from "./signed-act.ts";
import { signedCall } from "./signed-call.ts";

/** Pure. Throws TypedDataError for unreadable input and for another chain. */
export function decideMessage(input: MessageInput, ruleset: Ruleset, labels: Labels): MessageDecision {
  const { asked, act, ...decoded } = decodeMessage(input, ruleset, labels);
  const { file, carried } = decoded;
  const { fields, domain, data, primaryType } = asked;
  return presentMessage({
    ...{ ...decoded, ruleset, labels, fields, domain, primaryType },
    within: carriedBy(carried?.actions ?? [], file, (one) => decodeCase(one, { ruleset, labels })),
    contentsType: data?.primaryType ?? null,
    assessment: assess(act),
  });
}

/** Source code of at most `lookupsMax` addresses. Throws TypedDataError. */
export function planMessage(
  input: MessageInput,
  { ruleset, labels, lookupsMax }: { ruleset: Ruleset; labels: Labels; lookupsMax: number },
): LookupPlan {
  const decoded = decodeMessage(input, ruleset, labels);
  const tokens = tokensOfMessage(decoded).filter((token) => labels.token(token) === undefined);
  return {
    tokens: distinct(tokens).slice(0, limits.tokensMax),
    reads: planMessageReads(decoded, ruleset, labels),
    risk: planRisk(decoded.act, lookupsMax),
  };
}

function decodeMessage(input: MessageInput, ruleset: Ruleset, labels: Labels): DecodedMessage {
  const asked = readAsked(input);
  const from = readAddress(input.from);
  if (from === undefined) return refuseData(`\`from\` is ${shownValue(input.from)}, which is no address`);
  const account = asked.account ?? from;
  const file = messageCase(input, { from: account, to: asked.domain.verifyingContract ?? account });
  const tx = normalize(file, labels);
  const found = match(asked, { ruleset, gates: new GateKeeper(tx, file), tx });
  const weigh = weigherOf(file, labels);
  const matched = found && { ...found, rights: [...inOrder(found.rights, weigh)] };
  const held =
    matched?.call == null ? null : decodeCarried(matched.call, file, (one) => decodeCase(one, { ruleset, labels }));
  const carried = held && { ...held, rights: inOrder(carriedRights(held.decoded.unwrapped.calls, ruleset), weigh) };
  const rights = [...(matched?.rights ?? []), ...(carried?.rights ?? [])];
  const known = [
    from,
    account,
    asked.domain.verifyingContract,
    ...rights.flatMap(({ token, spender }) => [token, spender]),
  ];
  const witness = matched?.open ? accountsIn(asked.fields).filter((one) => !known.includes(one)) : [];
  const named =
    matched === undefined
      ? accountsIn(asked.fields)
      : [...witness, ...namedAddresses({ actions: [matched], twins: held?.acts.actions ?? [] })];
  const others = named.filter((one) => one !== from && one !== account && one !== asked.domain.verifyingContract);
  const act = signedAct({ account, file, tx, matched, carried, named: others, domain: asked.domain, ruleset, labels });
  const call = held && matched?.call ? signedCall(held, matched.call.from, labels) : null;
  return { file, signer: from, account, asked, matched, carried: call, rights, witness, act };
}

/** More are sorted by worth: worthless tokens hide nothing. */
const namedMax = 3;

function inOrder<R extends GivenRight>(rights: readonly R[], weigh: Weigh): readonly R[] {
  return rights.length <= namedMax
    ? rights
    : heaviestFirst(rights, ({ token, amount }) => weigh({ token, amount: amount ?? 1n }));
}

function match({ data, delegate, domain }: Asked, world: MessageWorld): MatchedMessage | undefined {
  if (data !== null) return matchMessage(data, world);
  return delegate === null ? undefined : matchAuthorization({ delegate, domain }, world);
}
