import type { Address } from "../../kernel/address.ts";
import { groupThousands } from "../../kernel/amount.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { readQuantity } from "../../kernel/hex.ts";
import { heaviestFirst } from "../../kernel/lists.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Decision } from "../../model/decision.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { Labels } from "../../model/label.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Movement } from "../../model/transaction.ts";
import type { Kept } from "../ledger/keepers.ts";
import type { GivenShare } from "../settle/shares.ts";
import type { AssetNames } from "./amounts/asset-names.ts";
import { isoTime, usdOf } from "./amounts/measure.ts";
import { type PresentedAssets, presentAssets } from "./assets.ts";
import { type ListedCounterparties, listCounterparties } from "./counterparties.ts";
import { presentEvidence } from "./evidence.ts";
import type { Findings } from "./findings.ts";
import { takeFees } from "./given/fees.ts";
import { spentGrants } from "./given/grants.ts";
import { toldReceiver } from "./given/losses.ts";
import { tellCreated, tellPurpose } from "./given/unexplained.ts";
import { alsoCarried } from "./message/carried-acts.ts";
import { joinPhrases } from "./phrase.ts";
import { tellNotes } from "./preview/preview-notes.ts";
import { tellRequest } from "./preview/requested.ts";
import { tellMissing } from "./reasons/missing.ts";
import { revertReason } from "./reasons/revert-reason.ts";
import { presentRiskEvidence, type ToldFlags, tellChecks, tellFlags } from "./risk.ts";
import { summarize } from "./summary.ts";
import { shortenerOf } from "./teller/short-addresses.ts";
import type { Teller } from "./teller/teller.ts";
import { openWords, type Words } from "./teller/words.ts";
import { distinctActs, type ToldAction } from "./told-act.ts";

/** At most this many are named; the rest is counted. */
const namedMax = 2;

/** The weight of a trifle: see `weigherOf`. */
const trifleWeight = 1n;

/** Adds to an act who has its money in the end. Those whom the act names already are left out. */
function tellKeepers(
  act: Phrase,
  kept: readonly Kept[],
  { names, teller, nameOf }: Pick<Words, "names" | "teller" | "nameOf">,
): Phrase {
  // Anybody can give a token the text of an address as its symbol.
  const own = act.text.replaceAll(/"[^"]*"/g, "");
  const open = kept.filter((one) => names.weight(one) !== trifleWeight && !own.includes(nameOf(one.keeper)));
  if (open.length === 0) return act;
  const parts = [
    ...Map.groupBy(
      heaviestFirst(open, (asset) => names.weight(asset)),
      ({ keeper }) => keeper,
    ),
  ];
  const holders = parts
    .slice(0, namedMax)
    .map(([keeper, assets]) => teller.say("summary.has", { holder: nameOf(keeper), amount: names.list(assets) }));
  if (parts.length > holders.length) holders.push(teller.say("value.more", { count: parts.length - holders.length }));
  return teller.say("summary.kept", { act, holders: joinPhrases(holders) });
}

/** Adds to an act to whom small parts of what it took went. */
function tellShares(
  act: Phrase,
  shares: readonly GivenShare[],
  { names, teller, nameOf }: Pick<Words, "names" | "teller" | "nameOf">,
): Phrase {
  return shares
    .filter((one) => names.weight(one) !== trifleWeight)
    .reduce((told, one) => {
      const amount = names.list([one]);
      return teller.say("summary.share", { act: told, amount, to: nameOf(toldReceiver(one)) });
    }, act);
}

/** An act with where its money went, and with what it created. */
function withMoney(act: Phrase, action: ToldAction, { statements, settled }: Findings, words: Words): Phrase {
  const { context } = action;
  const shared = tellShares(act, settled.shares.get(context) ?? [], words);
  return tellCreated(tellKeepers(shared, statements.keepers.get(context) ?? [], words), action, words);
}

/**
 * Puts the findings into words: the answer, and on demand the evidence. `kept`: the movements that the answer lists. `words`: the tools
 * that wrote it, so that a picture uses the same names.
 */
export function present(findings: Findings): { decision: Decision; kept: PresentedAssets["kept"]; words: Words } {
  const { file, labels, tx, subject, assessment } = findings;
  const words = openWords(findings, shortenerOf(tx, labels));
  const { names, teller } = words;
  const accounts = [subject, tx.from, ...findings.settled.losses.map(({ account }) => account)];
  const assets = presentAssets(tx.movements, accounts, names);
  const missing = [...tellGasCap(findings, teller), ...tellMissing(findings, names, teller)];
  const purpose = tellPurpose(findings.settled, words);
  const { calls } = findings.unwrapped;
  const parties = listCounterparties({ ...findings.settled, grants: assessment.grants, tx, subject, calls, labels });
  const flags = tellFlags(assessment.findings, teller, [assets.assets, parties.counterparties]);
  const cut = tellCut({ movements: assets.cut, counterparties: parties.cut, flags: flags.cut }, teller);
  const summary = summaryOf(findings, { missing: [...missing, ...cut], purpose }, words);
  const evidence = () =>
    presentEvidence(findings, [...missing, ...purpose], presentRiskEvidence(assessment, file, teller));
  const explanation = explanationOf(findings, { assets, parties, flags, summary }, teller);
  const { kept } = assets;
  if (file.simulation === undefined) return { decision: { explanation, evidence }, kept, words };
  const { asks } = summary;
  const preview = {
    asks: asks.map(({ text }) => text),
    notes: tellNotes({ file, tx, examined: assessment.examined, ruleset: findings.ruleset }, teller),
    untrustedAsks: asks.flatMap(({ untrusted }, i) => (untrusted ? [i] : [])),
  };
  return { decision: { explanation, preview, evidence }, kept, words };
}

interface ToldSummary extends Phrase {
  partial: boolean;
  /** For a transaction that nobody ran: what it asks for. */
  asks: readonly Phrase[];
}

function summaryOf(
  findings: Findings,
  { missing, purpose }: Record<"missing" | "purpose", readonly Phrase[]>,
  words: Words,
): ToldSummary {
  const { tx, file, labels, subject, settled, statements, assessment, ruleset } = findings;
  const { names, teller, writer } = words;
  if (tx.mode === "requested") return requestOf(findings, words);
  const { actions, losses, twins, bookings } = settled;
  const payouts = [...settled.payouts, ...statements.sharers];
  const { simulation } = file;
  const phrase = summarize(
    {
      ...{
        actions,
        losses,
        payouts,
        twins,
        bookings,
        assessment,
        ledger: statements.ledger,
        silent: statements.silent,
        burdens: statements.burdens,
      },
      withoutFees: (acts) => takeFees(statements.charged, acts, tx),
      isSpent: spentGrants(tx, labels),
      types: ruleset.actions,
      alsoOf: (context) => alsoCarried(context, ruleset, { ...words, within: findings.carried }),
      withKeepers: (act, action) => withMoney(act, action, findings, words),
      reverted: tx.status === "reverted",
      reason: revertReason(findings, { teller, writer }),
      remark: assessment.remark === null ? null : teller.tell(assessment.remark),
      fee: tellTokenFee(tx.movements, subject, names, teller),
      missing,
      purpose,
      simulated: simulation === undefined ? null : { block: tx.blockNumber, differs: simulation.differs === true },
    },
    writer,
    { names, teller },
  );
  const unsure = simulation?.differs === true;
  const partial = missing.length + purpose.length > 0 || actions.length === 0 || phrase.cut || unsure;
  return { ...phrase, partial, asks: [] };
}

/** The summary of a transaction that nobody ran. It is always partial. */
function requestOf(findings: Findings, { names, teller, writer }: Words): ToldSummary {
  const { tx, file, subject, settled, assessment, ruleset, unwrapped } = findings;
  const told = tellRequest({
    tx,
    subject,
    acts: distinctActs(settled.actions, {
      ...{ types: ruleset.actions, writer, teller, request: true },
      alsoOf: (context) => alsoCarried(context, ruleset, { names, writer, teller, within: findings.carried }),
    }),
    grants: assessment.grants,
    told: settled.claimedCalls,
    calls: unwrapped.calls,
    refusal: file.simulation?.refusal ?? null,
    names,
    teller,
    nameOf: (address) => writer.address(address),
  });
  return { ...told, partial: true };
}

/** The last of the reasons why the answer is partial. */
function tellCut(cut: { movements: number; counterparties: number; flags: number }, teller: Teller): Phrase[] {
  return [
    ...(cut.movements === 0 ? [] : [teller.say("missing.movements_cut", { count: cut.movements })]),
    ...(cut.counterparties === 0 ? [] : [teller.say("missing.counterparties", { count: cut.counterparties })]),
    ...(cut.flags === 0 ? [] : [teller.say("missing.flags_cut", { count: cut.flags })]),
  ];
}

interface ToldParts {
  assets: PresentedAssets;
  parties: ListedCounterparties;
  flags: ToldFlags;
  summary: ToldSummary;
}

/** Key order is the model's. */
function explanationOf(
  { file, tx, settled, assessment }: Findings,
  { assets: { assets, untrusted }, parties, flags, summary }: ToldParts,
  teller: Teller,
): Explanation {
  return {
    summary: summary.text,
    action_type: settled.actions[0]?.rule.action ?? "unknown",
    status: tx.status,
    assets_moved: assets,
    counterparties: parties.counterparties,
    risk_flags: flags.flags,
    checks: tellChecks(assessment.checks, teller),
    gas_paid_usd: usdOf(tx.feeWei, file.price.status === "found" ? file.price.eth_usd : null),
    timestamp: tx.timestamp === null ? null : isoTime(tx.timestamp),
    block_number: tx.blockNumber,
    tx_hash: tx.hash,
    explorer_url: chain.explorerUrl("tx", tx.hash),
    partial: summary.partial,
    provenance: {
      untrusted_fields: [
        ...(summary.untrusted ? ["summary"] : []),
        ...untrusted.map((i) => `assets_moved[${i}].token`),
      ],
      note: teller.words("answer.provenance"),
    },
  };
}

/** `paid 0.02 USDC for gas`, net of refunds. */
export function tellTokenFee(
  movements: readonly Movement[],
  payer: Address,
  names: AssetNames,
  teller: Teller,
): Phrase | null {
  if (!movements.some(({ fee }) => fee)) return null;
  const paid = new Map<Address, bigint>();
  for (const { fee, token, from, to, amount } of movements) {
    if (!fee || token === null || (from !== payer && to !== payer)) continue;
    paid.set(token, (paid.get(token) ?? 0n) + (from === payer ? amount : -amount));
  }
  const told = [...paid].filter(([, amount]) => amount > 0n).map(([token, amount]) => names.amount(token, amount));
  if (told.length === 0) return null;
  return teller.say("summary.gas_in_tokens", { amounts: joinPhrases(told) });
}

/** Has or needs more gas than one transaction may have; silent where a node said so. */
export function tellGasCap({ file, labels }: { file: CaseFile; labels: Labels }, teller: Teller): Phrase[] {
  const { simulation, transaction, receipt, block } = file;
  if (simulation === undefined || simulation.refusal !== null) return [];
  const cap = labels.calendar.gasCap(Number(readQuantity(block.number) ?? 0n) + 1);
  if (cap === null) return [];
  const values = { cap: groupThousands(cap.toString()) };
  if ((readQuantity(transaction.gas) ?? 0n) > cap) return [teller.say("preview.gas_limit_over_cap", values)];
  if (simulation.method !== "none" && (readQuantity(receipt.gasUsed) ?? 0n) > cap)
    return [teller.say("preview.gas_used_over_cap", values)];
  return [];
}
