import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { canonicalJson } from "../../../kernel/canonical.ts";
import type { Hex } from "../../../kernel/hex.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import { anchorStrength } from "../../../rules/ruleset/compile/anchor.ts";
import { gateMembers, gateStrength } from "../../../rules/ruleset/compile/gate.ts";
import type { Gate } from "../../../rules/ruleset/compiled.ts";
import { swapLogs, untrustedFor } from "../examples/untrusted.ts";
import type { Trial } from "../trial.ts";
import { editLogs, retargetCalls, withLogs } from "./edit-case.ts";
import { countStanding, type Mutant, type Original } from "./mutant.ts";

/** Emitter, target, or the whole contract becomes untrusted. */
export function foreignEmitters(original: Original): Mutant[] {
  const { anchor } = original.candidate.rule;
  if (anchor.kind === "event") return ofEvent(original);
  if (anchor.kind === "call") return ofCall(original);
  return anchor.kind === "transfer" ? ofTransfer(original) : [];
}

function ofEvent(original: Original): Mutant[] {
  const { trial, candidate } = original;
  const { anchor, absorbs } = candidate.rule;
  if (anchor.kind !== "event") return [];
  const { event, gate, companion } = anchor;
  const { subject, call, log } = candidate.context;
  const emitters = trial.tx.logs
    .filter(({ topics, address }) => topics[0] === event.hash && trial.gates.admits(gate, address, subject))
    .map(({ address }) => address);
  const targets = companion === null ? [] : [call?.to ?? []].flat();
  const gates = [gate, ...(companion === null ? [] : [companion.gate]), ...absorbs.map((one) => one.gate)];
  // A token that vouches for its own movement is left out. The same log from another contract is a movement of another token, and just as
  // true.
  const movesItself = gateStrength(gate) === 1 && trial.tx.movements.some((move) => move.log === log?.index);
  const change = `${event.name} comes from an untrusted contract`;
  return [
    ...(movesItself ? [] : [emittedElsewhere(original, emitters, change, event.hash)]),
    ...targets.flatMap((target) => retargeted(original, target)),
    ...(gates.every((one) => gateStrength(one) >= 2) ? [cloned(original, [...emitters, ...targets], gates)] : []),
  ];
}

function ofCall(original: Original): Mutant[] {
  const { call } = original.candidate.context;
  const { anchor } = original.candidate.rule;
  if (call === null || call.to === null || anchor.kind !== "call") return [];
  return [...retargeted(original, call.to), cloned(original, [call.to], [anchor.gate])];
}

function ofTransfer(original: Original): Mutant[] {
  const { move } = original.candidate.context;
  const { anchor } = original.candidate.rule;
  if (move === null || anchor.kind !== "transfer") return [];
  const known = (["from", "to"] as const).filter((side) => gateStrength(anchor[side]) >= 2).map((side) => move[side]);
  const parties = cloned(original, known, [anchor.from, anchor.to]);
  return [
    parties,
    ...(move.token === null ? [] : [emittedElsewhere(original, [move.token], "an untrusted token says so")]),
  ];
}

/** `topic`: only this event. */
function emittedElsewhere(original: Original, emitters: readonly Address[], change: string, topic?: Hex): Mutant {
  const untrusted = untrustedFor(emitters);
  const caseFile = editLogs(original.caseFile, (log) => {
    const other = untrusted.get(log.address.toLowerCase() as Address);
    const meant = topic === undefined || log.topics[0]?.toLowerCase() === topic;
    return other === undefined || !meant ? log : { ...log, address: other };
  });
  return mutant(original, change, caseFile, untrusted);
}

/** Forges nothing where no call of the case names the target: an unwrapper says that the caller runs its code. */
function retargeted(original: Original, target: Address): Mutant[] {
  const untrusted = untrustedFor([target]);
  const caseFile = retargetCalls(original.caseFile, untrusted);
  if (canonicalJson(caseFile) === canonicalJson(original.caseFile)) return [];
  return [mutant(original, "the call goes to an untrusted contract", caseFile, untrusted)];
}

/** Reads and logs of factories stay, so that nothing proves the replacements. */
function cloned(original: Original, addresses: readonly Address[], gates: readonly Gate[]): Mutant {
  const untrusted = untrustedFor(addresses.filter((address) => address !== zeroAddress));
  const { caseFile } = original;
  const logs = swapLogs(caseFile.receipt.logs, gates.flatMap(gateMembers), untrusted);
  const copy = withLogs(retargetCalls(caseFile, untrusted), logs);
  return mutant(original, "an untrusted copy of the contract", copy, untrusted);
}

function mutant(original: Original, change: string, caseFile: CaseFile, others: ReadonlyMap<Address, Address>): Mutant {
  const untrusted = new Set(others.values());
  return { kind: "foreign-emitter", change, caseFile, judge: ({ trial }) => judge(original, trial, untrusted) };
}

/** The rule still fits, or another proven rule believes an untrusted contract. (A token may prove itself where no protocol is named.) */
function judge(original: Original, trial: Trial, untrusted: ReadonlySet<Address>): string | null {
  if (countStanding(original, trial) > 0) return "the rule still stands";
  const deceived = trial.actions.find(({ rule, context }) => {
    const place = context.log?.address ?? context.call?.to ?? null;
    const proven = rule.tier <= tierRank("protocol") && anchorStrength(rule.anchor) >= 2;
    return proven && place !== null && untrusted.has(place);
  });
  return deceived === undefined ? null : `${deceived.rule.id} believes the untrusted contract`;
}
