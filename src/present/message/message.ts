import { type Address, checksum, zeroAddress } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import type { Labels } from "../../model/label.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { MessageDecision, MessageExplanation, SignedField } from "../../model/told/message-explanation.ts";
import { namedAddresses } from "../../settle/named-addresses.ts";
import { accountsIn } from "../../typed-data/fields.ts";
import { AssetNames } from "../amounts/asset-names.ts";
import { wellKnownSymbols } from "../amounts/symbol-policy.ts";
import { tellChecks, tellFlags } from "../risk.ts";
import { SentenceWriter } from "../sentence.ts";
import { shortenerAmong } from "../teller/short-addresses.ts";
import { Teller } from "../teller/teller.ts";
import { tellCarried } from "./carried-acts.ts";
import type { MessageFindings, MessageTools } from "./message-findings.ts";
import { messageFlags } from "./message-flags.ts";
import { summarizeMessage } from "./message-summary.ts";
import { listSignedFields } from "./signed-fields.ts";
import { listGrants } from "./signed-grants.ts";

/** Puts what was found about a message into words. */
export function presentMessage(findings: MessageFindings): MessageDecision {
  const { labels, ruleset, file, assessment, matched, domain } = findings;
  const parties = partiesOf(findings);
  const shorten = shortenerAmong([findings.signer, ...parties, ...accountsIn(findings.fields)]);
  const teller = new Teller(ruleset.wording, shorten);
  const policy = {
    wellKnown: wellKnownSymbols(labels),
    suspects: assessment.suspects,
    unlimited: ruleset.grants.unlimited,
  };
  const names = new AssetNames(file, labels, policy, teller);
  const writer = new SentenceWriter(labels, names, { teller, verbs: ruleset.verbs });
  const tools: MessageTools = { names, teller, writer, types: ruleset.actions };
  const carried =
    findings.carried === null ? null : tellCarried([findings.carried], ruleset, { ...tools, within: findings.within });
  const summary = summarizeMessage(findings, carried, tools);
  const grants = listGrants(findings.rights, labels, names);
  const flags = tellFlags(assessment.findings, teller);
  const shown = listSignedFields(findings.fields);
  const explanation: MessageExplanation = {
    summary: summary.text,
    action_type: actionOf(findings),
    outcome: "not_simulated",
    assets_moved: [],
    grants: grants.list,
    message: {
      primary_type: findings.primaryType,
      contract: domain.verifyingContract === null ? null : checksum(domain.verifyingContract),
      contract_label: domain.verifyingContract === null ? null : labelOf(domain.verifyingContract, labels),
      fields: shown,
    },
    counterparties: parties.slice(0, limits.counterpartiesMax).map((address) => {
      return { address: checksum(address), label: labelOf(address, labels) };
    }),
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

/** Of a message that carries calls, what they do; where they have no type of their own, the rule's. */
function actionOf({ matched, carried }: MessageFindings): string {
  const inner = carried?.actions[0]?.rule;
  if (inner !== undefined && inner.action !== "unknown" && inner.action !== "contract_interaction") return inner.action;
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

/** Names are the asker's where no rule knows the message; its texts always are. */
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

function labelOf(address: Address, labels: Labels): string | null {
  return labels.name(address)?.label ?? labels.token(address)?.symbol ?? null;
}

/** Who else has to do with it: who gets rights, money and power, what is called, the contract that checks it, the tokens. */
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
    ...(carried?.calls ?? []).map(({ to }) => to),
    domain.verifyingContract,
    ...rights.map(({ token }) => token),
  ];
  const isParty = (one: unknown): one is Address =>
    typeof one === "string" && one.length === 42 && one !== signer && one !== zeroAddress;
  return [...new Set(found.filter(isParty))];
}
