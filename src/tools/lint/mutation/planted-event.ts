import { encodeFunctionData } from "viem/utils";
import { namedBy } from "../../../engine/unwrap/subject.ts";
import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { transferTopic } from "../../../kernel/token-standards.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { TokenLabel } from "../../../model/label.ts";
import { encodeLog, people, plainValue } from "../examples/given-names.ts";
import { swapAddresses, untrustedAt, untrustedFor } from "../examples/untrusted.ts";
import { withLogs } from "./edit-case.ts";
import type { Mutant, Original } from "./mutant.ts";
import { forgedTokenAbi, plainToken, tokenLog } from "./stranger.ts";

const [alice, bob] = [people.alice as Address, people.bob as Address];

/** The rule's logs, between other accounts, before a plain transfer, which must stay the answer. */
export function thirdParties(original: Original): Mutant[] {
  const { caseFile, trial, candidate, world } = original;
  const { anchor } = candidate.rule;
  if (trial.tx.status === "reverted" || (anchor.kind !== "event" && anchor.kind !== "transfer")) return [];
  const token = plainToken(world.labels, caseFile);
  if (token === undefined) return [];
  const actors = [trial.tx.from, trial.subject, candidate.context.subject, ...Object.values(people)];
  const untrusted = untrustedFor(
    actors.filter((address) => address !== zeroAddress && world.labels.name(address) === undefined),
  );
  const injected = {
    ...plainTransfer(token, caseFile),
    trace: swapAddresses(nativeTrace(original), untrusted),
    tokens: caseFile.tokens,
    reads: caseFile.reads,
  };
  const logs = [...swapAddresses(caseFile.receipt.logs, untrusted), ...injected.receipt.logs];
  return [
    {
      kind: "third-party",
      change: "inside a plain transfer",
      caseFile: withLogs(injected, logs),
      judge: ({ trial: { actions } }) => {
        const [first] = actions;
        if (first?.rule.action === "erc20_transfer" && first.context.subject === alice) return null;
        return first === undefined ? "nothing stands" : `${first.rule.id} stands for ${first.context.subject}`;
      },
    },
  ];
}

/** Another account's contract writes an event that names the subject as sender of a user operation. */
export function forgedOperations(original: Original): Mutant[] {
  const { caseFile, trial, candidate, world } = original;
  const { rule, context } = candidate;
  const anchored = rule.anchor.kind === "event" || rule.anchor.kind === "transfer";
  if (trial.tx.status === "reverted" || rule.actsFor !== null || !anchored) return [];
  const [sender, contract] = [untrustedAt(0), untrustedAt(1)];
  const envelope = { from: sender, to: contract, value: "0x0", input: "0x12345678", type: "0x2" };
  const hints = world.ruleset.subjects;
  const topics = new Set(hints.map(({ event }) => event.hash as string));
  const genuine = caseFile.receipt.logs.filter((log) => !topics.has(log.topics[0]?.toLowerCase() ?? ""));
  return hints.map(({ event, argument }): Mutant => {
    const values = event.inputs.items.map((type, i) =>
      i === argument[0] ? context.subject : type.kind === "bool" ? true : plainValue(type, i),
    );
    const forged = {
      ...caseFile,
      transaction: { ...caseFile.transaction, ...envelope },
      trace: nativeTrace(original),
    };
    return {
      kind: "forged-operation",
      change: `an untrusted contract's ${event.name}`,
      caseFile: withLogs(forged, [...genuine, encodeLog(event, contract, values)]),
      judge: ({ trial: { actions, tx, gates } }) => {
        // A genuine contract reports a permission that the subject signed, so the subject did take part.
        if (namedBy(world.ruleset.signers, { tx, gates }).includes(context.subject)) return null;
        const deceived = actions.find(
          (action) => action.rule.actsFor === null && action.context.subject === context.subject,
        );
        return deceived === undefined ? null : `${deceived.rule.id} stands for the subject`;
      },
    };
  });
}

/** 100 units from alice to bob. */
function plainTransfer(token: TokenLabel, file: CaseFile): CaseFile {
  const log = tokenLog(transferTopic, token.address, [alice, bob], 100n);
  const input = encodeFunctionData({ abi: forgedTokenAbi, functionName: "transfer", args: [bob, 100n] });
  return {
    ...file,
    transaction: { hash: file.tx_hash, type: "0x2", from: alice, to: token.address, value: "0x0", input },
    receipt: { status: "0x1", logs: [log] },
  };
}

/** The case's ether as an explorer's list. */
export function nativeTrace({ trial }: Original) {
  const internal_transfers = trial.tx.movements
    .filter((move) => move.standard === "native")
    .map(({ from, to, amount }) => ({ type: "call", from, to, value: amount.toString(), success: true }));
  return { source: "internal_transfers" as const, provider: "example", internal_transfers };
}
