import { type Address, checksum, zeroAddress } from "../../../kernel/address.ts";
import { limits } from "../../../kernel/limits.ts";
import { distinct } from "../../../kernel/lists.ts";
import { addressLabel, type Labels } from "../../../model/label.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type {
  MessageDecision,
  MessageExplanation,
  MessageFlag,
  MessageGrant,
  SignedField,
} from "../../../model/told/message-explanation.ts";
import { accountsIn } from "../../../rules/typed-data/fields.ts";
import type { GivenRight } from "../../match/messages/signed-offer.ts";
import { namedAddresses } from "../../settle/named-addresses.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { isoTime, yearTenThousand } from "../amounts/measure.ts";
import { tellChecks, tellFlags } from "../risk.ts";
import { shortenerAmong } from "../teller/short-addresses.ts";
import { openWords } from "../teller/words.ts";
import { returnOf } from "./asked-return.ts";
import type { MessageFindings, MessageTools } from "./message-findings.ts";
import { summarizeMessage } from "./message-summary.ts";
import { ownActs, tellSignedCall } from "./signed-call.ts";
import { listSignedFields } from "./signed-fields.ts";

export function presentMessage(findings: MessageFindings): MessageDecision {
  const { labels, ruleset, assessment, matched, domain } = findings;
  const parties = partiesOf(findings);
  const words = openWords(findings, shortenerAmong([findings.signer, ...parties, ...accountsIn(findings.fields)]));
  const { names, teller } = words;
  const tools: MessageTools = { ...words, types: ruleset.actions };
  const carried =
    findings.carried === null ? null : tellSignedCall(findings.carried, ruleset, { ...tools, within: findings.within });
  const summary = summarizeMessage(findings, carried, tools);
  const grants = listGrants(findings.rights, labels, names);
  const shown = listSignedFields(findings.fields);
  const counterparties = parties.slice(0, limits.counterpartiesMax).map((address) => {
    return { address: checksum(address), label: addressLabel(labels, address) };
  });
  const flags = tellFlags(assessment.findings, teller, [shown, grants.list, counterparties]);
  const explanation: MessageExplanation = {
    summary: summary.text,
    action_type: actionOf(findings),
    outcome: "not_simulated",
    assets_moved: [],
    grants: grants.list,
    message: {
      primary_type: findings.primaryType,
      contract: domain.verifyingContract === null ? null : checksum(domain.verifyingContract),
      contract_label: domain.verifyingContract === null ? null : addressLabel(labels, domain.verifyingContract),
      fields: shown,
    },
    counterparties,
    risk_flags: [...messageFlags(findings, tools), ...flags.flags],
    checks: tellChecks(assessment.checks, teller),
    partial: isPartial(findings, summary, { carried: carried?.cut ?? false, grants: grants.cut, flags: flags.cut }),
    provenance: {
      untrusted_fields: [
        ...(summary.untrusted ? ["summary"] : []),
        ...grants.untrusted.map((i) => `grants[${i}].token`),
        ...untrustedIn(findings, shown),
      ],
      note: teller.words("answer.provenance"),
    },
  };
  return { explanation, rule: matched === undefined ? null : { id: matched.rule.id, version: matched.rule.version() } };
}

/** Of the first carried act; without a type, the rule's. */
function actionOf({ matched, carried }: MessageFindings): string {
  const inner = carried && ownActs(carried)[0]?.rule;
  if (inner && inner.action !== "unknown" && inner.action !== "contract_interaction") return inner.action;
  return matched?.rule.action ?? "unknown";
}

function isPartial(
  { matched, carried }: MessageFindings,
  summary: Phrase & { cut: boolean },
  cut: { carried: boolean; grants: boolean; flags: number },
): boolean {
  if (matched === undefined || matched.open || summary.cut || cut.carried || cut.grants || cut.flags > 0) return true;
  return carried !== null && carried.actions.length === 0;
}

/** The asker's text: string values; names and types of unknown messages. */
function untrustedIn({ matched, primaryType }: MessageFindings, shown: readonly SignedField[]): string[] {
  const strange = matched === undefined;
  return [
    ...(strange && primaryType !== null ? ["message.primary_type"] : []),
    ...shown.flatMap(({ type }, i) => {
      const parts = [...(strange ? ["path", "type"] : []), ...(type === "string" ? ["value"] : [])];
      return parts.map((part) => `message.fields[${i}].${part}`);
    }),
  ];
}

/** Receivers of rights, money or power, called contracts, the verifier, tokens. */
function partiesOf({ signer, account, matched, carried, rights, witness, domain, fields }: MessageFindings): Address[] {
  const captured =
    matched === undefined ? accountsIn(fields) : namedAddresses({ actions: [matched], twins: carried?.actions ?? [] });
  const found = [
    ...rights.map(({ spender }) => spender),
    ...(matched?.recipients ?? []),
    ...(matched?.diverted.to ?? []),
    ...(matched?.powers ?? []),
    ...captured,
    ...witness,
    account,
    ...(matched?.call == null ? [] : [matched.call.from]),
    ...(carried?.through ?? []).map(({ call }) => call.to),
    ...(carried?.calls ?? []).map(({ to }) => to),
    domain.verifyingContract,
    ...rights.map(({ token }) => token),
  ];
  const isParty = (one: unknown): one is Address =>
    typeof one === "string" && one.length === 42 && one !== signer && one !== zeroAddress;
  return distinct(found.filter(isParty));
}

/** Before flags about addresses and tokens. */
export function messageFlags(findings: MessageFindings, { teller, names }: MessageTools): MessageFlag[] {
  const { matched, domain, account: signer } = findings;
  const flags: MessageFlag[] = [];
  const say = (flag: MessageFlag["flag"], detail: string) => flags.push({ flag, detail });
  const back = matched && returnOf(matched, names);
  if (back === "nothing") say("gives_for_nothing", teller.say("message.nothing_back", { signer }).text);
  if (back === "some") say("gives_for_nothing", teller.say("message.nothing_for_some", { signer }).text);
  if (back === "trifle") say("gives_for_nothing", teller.say("message.trifle_back", { signer }).text);
  // `yields` repeats the contract author's words, which proves nothing.
  if (matched === undefined || matched.rule.yields) say("unknown_message", teller.words("message.unknown_flag"));
  if (domain.chainId === null) say("no_chain", teller.words("message.no_chain_flag"));
  return flags;
}

/** `untrusted`: positions with a stranger's symbol. */
export function listGrants(rights: readonly GivenRight[], labels: Labels, names: AssetNames) {
  const shown = rights.slice(0, limits.signedGrantsMax);
  const untrusted: number[] = [];
  const list = shown.map((right, i): MessageGrant => {
    const { token, spender, id, until } = right;
    const { listed, symbol } = names.facts(token);
    const name = names.name(token);
    if (name.untrusted) untrusted.push(i);
    return {
      token: listed && symbol !== null ? symbol : name.untrusted ? (symbol ?? "") : names.short(token),
      token_address: checksum(token),
      spender: checksum(spender),
      spender_label: addressLabel(labels, spender),
      amount: amountOf(right, names),
      ...(id === null ? {} : { token_id: id.toString() }),
      until: until === null || until >= yearTenThousand ? null : isoTime(Number(until)),
    };
  });
  return { list, untrusted, cut: shown.length < rights.length };
}

function amountOf({ token, amount, endless }: GivenRight, names: AssetNames): string | null {
  if (amount === null) return null;
  return endless || names.isUnlimited(token, amount) ? "unlimited" : names.exact(token, amount);
}
