import { type Address, zeroAddress } from "../../kernel/address.ts";
import { canonicalJson } from "../../kernel/canonical.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { tierRank } from "../../ruleset/actions.ts";
import { anchorStrength } from "../../ruleset/compile/anchor.ts";
import { gateMembers, gateStrength } from "../../ruleset/compile/gate.ts";
import type { Gate } from "../../ruleset/compiled.ts";
import { editLogs, retargetCalls, swapAddresses, untrustedFor, withLogs } from "./edit-case.ts";
import type { Mutant, Original } from "./mutant.ts";
import type { Trial } from "./trial.ts";

/** Stands in for what the rule trusts: its events from elsewhere, its calls to elsewhere, a copy of the whole contract. */
export function foreignEmitters(original: Original): Mutant[] {
  const { anchor } = original.candidate.rule;
  if (anchor.kind === "event") return ofEvent(original);
  if (anchor.kind === "call") return ofCall(original);
  return anchor.kind === "transfer" ? ofTransfer(original) : [];
}

function ofEvent(original: Original): Mutant[] {
  const { caseFile, trial, candidate } = original;
  const { anchor, absorbs } = candidate.rule;
  if (anchor.kind !== "event") return [];
  const { event, gate, companion } = anchor;
  const subject = candidate.context.subject;
  const emitters = trial.tx.logs
    .filter((log) => log.topics[0] === event.hash && trial.gates.admits(gate, log.address, subject))
    .map((log) => log.address);
  const untrusted = untrustedFor(emitters);
  const emitted = editLogs(caseFile, (log) => {
    const other = untrusted.get(log.address.toLowerCase() as Address);
    return other === undefined || log.topics[0]?.toLowerCase() !== event.hash ? log : { ...log, address: other };
  });
  const target = candidate.context.call?.to ?? null;
  const companionGates = companion === null ? [] : [companion.gate];
  const gates = [gate, ...companionGates, ...absorbs.map((one) => one.gate)];
  const copied = [...emitters, ...(companion !== null && target !== null ? [target] : [])];
  // A token that vouches for itself states its own movement: from elsewhere it is another token's, and as true as before.
  const movesItself =
    gateStrength(gate) === 1 && trial.tx.movements.some((move) => move.log === candidate.context.log?.index);
  return [
    ...(movesItself
      ? []
      : [mutant(original, `${event.name} comes from an untrusted contract`, emitted, new Set(untrusted.values()))]),
    ...(companion === null || target === null ? [] : retargeted(original, target)),
    ...(gates.every((one) => gateStrength(one) >= 2) ? [cloned(original, copied, gates)] : []),
  ];
}

function ofCall(original: Original): Mutant[] {
  const { call } = original.candidate.context;
  const { anchor } = original.candidate.rule;
  if (call === null || call.to === null || anchor.kind !== "call") return [];
  return [...retargeted(original, call.to), cloned(original, [call.to], [anchor.gate])];
}

function ofTransfer(original: Original): Mutant[] {
  const { caseFile, candidate } = original;
  const { move } = candidate.context;
  const { anchor } = candidate.rule;
  if (move === null || anchor.kind !== "transfer") return [];
  const known = [
    ...(gateStrength(anchor.from) >= 2 ? [move.from] : []),
    ...(gateStrength(anchor.to) >= 2 ? [move.to] : []),
  ];
  const parties = cloned(original, known, [anchor.from, anchor.to]);
  if (move.token === null) return [parties];
  const untrusted = untrustedFor([move.token]);
  const forged = editLogs(caseFile, (log) => {
    const other = untrusted.get(log.address.toLowerCase() as Address);
    return other === undefined ? log : { ...log, address: other };
  });
  return [parties, mutant(original, "an untrusted token says so", forged, new Set(untrusted.values()))];
}

/** Nothing when no call of the case names the target: then its caller's code does, as an unwrapper says. */
function retargeted(original: Original, target: Address): Mutant[] {
  const untrusted = untrustedFor([target]);
  const caseFile = retargetCalls(original.caseFile, untrusted);
  if (canonicalJson(caseFile) === canonicalJson(original.caseFile)) return [];
  return [mutant(original, "the call goes to an untrusted contract", caseFile, new Set(untrusted.values()))];
}

/** An untrusted contract stands wherever these contracts stood. Reads and the logs of factories stay, so that no proof speaks for it. */
function cloned(original: Original, addresses: readonly Address[], gates: readonly Gate[]): Mutant {
  const factories = new Set(
    gates
      .flatMap(gateMembers)
      .flatMap(({ proofs }) => proofs.flatMap((proof) => (proof.kind === "created" ? [...proof.factories] : []))),
  );
  const untrusted = untrustedFor(addresses.filter((address) => address !== zeroAddress));
  const { caseFile } = original;
  const logs = caseFile.receipt.logs.map((log) =>
    factories.has(log.address.toLowerCase() as Address) ? log : swapAddresses(log, untrusted),
  );
  const copy = withLogs(retargetCalls(caseFile, untrusted), logs);
  return mutant(original, "an untrusted copy of the contract", copy, new Set(untrusted.values()));
}

function mutant(original: Original, change: string, caseFile: CaseFile, untrusted: ReadonlySet<Address>): Mutant {
  return {
    kind: "foreign-emitter",
    change,
    caseFile,
    judge: (trial) => judge(original, trial, untrusted),
  };
}

/** Neither may the rule stand for the subject, nor may another one take the word of an untrusted contract. (A token may vouch for itself where no name is told.) */
function judge({ candidate }: Original, trial: Trial, untrusted: ReadonlySet<Address>): string | null {
  const same = trial.actions.some(
    ({ rule, context }) => rule.id === candidate.rule.id && context.subject === candidate.context.subject,
  );
  if (same) return "the rule still stands";
  const deceived = trial.actions.find(({ rule, context }) => {
    const place = context.log?.address ?? context.call?.to ?? null;
    const proven = rule.tier <= tierRank("protocol") && anchorStrength(rule.anchor) >= 2;
    return proven && place !== null && untrusted.has(place);
  });
  return deceived === undefined ? null : `${deceived.rule.id} believes the untrusted contract`;
}
