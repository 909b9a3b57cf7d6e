import { toFunctionSelector } from "viem";
import { encodeTuple } from "../../abi/encoder.ts";
import { type Address, zeroAddress } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import { transferTopic } from "../../kernel/token-topics.ts";
import type { CaseFile, InternalTransfer, RpcLog } from "../../model/case-file.ts";
import type { Labels, TokenLabel } from "../../model/label.ts";
import { encodeLog, people, plainValue } from "../examples/given-names.ts";
import { untrustedAt } from "../examples/untrusted.ts";
import { swapAddresses, untrustedFor, withLogs } from "./edit-case.ts";
import type { Mutant, Original } from "./mutant.ts";

const transferSelector = toFunctionSelector("transfer(address,uint256)");
const [alice, bob] = [people.alice as Address, people.bob as Address];

/** The rule's logs between other accounts, before alice's own plain transfer: it must stay a plain transfer. */
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
    trace: {
      source: "internal_transfers" as const,
      provider: "example",
      internal_transfers: swapAddresses(nativeRows(original), untrusted),
    },
    tokens: caseFile.tokens,
    reads: caseFile.reads,
  };
  const logs = [...swapAddresses(caseFile.receipt.logs, untrusted), ...injected.receipt.logs];
  return [
    {
      kind: "third-party",
      change: "inside a plain transfer",
      caseFile: withLogs(injected, logs),
      judge: ({ actions }) => {
        const [first] = actions;
        if (first?.rule.action === "erc20_transfer" && first.context.subject === alice) return null;
        return first === undefined ? "nothing stands" : `${first.rule.id} stands for ${first.context.subject}`;
      },
    },
  ];
}

/** Another account sends the logs from a contract of its own, with an event that names the subject as the operation's sender. */
export function forgedOperations(original: Original): Mutant[] {
  const { caseFile, trial, candidate, world } = original;
  const { rule, context } = candidate;
  const anchored = rule.anchor.kind === "event" || rule.anchor.kind === "transfer";
  if (trial.tx.status === "reverted" || rule.actsFor !== null || !anchored) return [];
  const [sender, contract] = [untrustedAt(0), untrustedAt(1)];
  const hints = world.ruleset.subjects;
  const topics = new Set(hints.map(({ event }) => event.hash as string));
  const genuine = caseFile.receipt.logs.filter((log) => !topics.has(log.topics[0]?.toLowerCase() ?? ""));
  return hints.map(({ event, argument }): Mutant => {
    const values = event.inputs.items.map((type, i) =>
      i === argument ? context.subject : type.kind === "bool" ? true : plainValue(type, i),
    );
    const forged = {
      ...caseFile,
      transaction: {
        ...caseFile.transaction,
        from: sender,
        to: contract,
        value: "0x0",
        input: "0x12345678",
        type: "0x2",
      },
      trace: { source: "internal_transfers" as const, provider: "example", internal_transfers: nativeRows(original) },
    };
    return {
      kind: "forged-operation",
      change: `an untrusted contract's ${event.name}`,
      caseFile: withLogs(forged, [...genuine, encodeLog(event, contract, values)]),
      judge: ({ actions }) => {
        const deceived = actions.find(
          (action) => action.rule.actsFor === null && action.context.subject === context.subject,
        );
        return deceived === undefined ? null : `${deceived.rule.id} stands for the subject`;
      },
    };
  });
}

/** A listed token that the case does not touch: its own movements must not be mistaken for the transfer's. */
function plainToken(labels: Labels, { receipt }: CaseFile): TokenLabel | undefined {
  const touched = new Set(receipt.logs.map((log) => log.address.toLowerCase()));
  return labels.tokens().find((token) => token.wellKnown && !touched.has(token.address) && isPlain(labels, token));
}

function isPlain(labels: Labels, { address }: TokenLabel): boolean {
  return !labels.system("weth").includes(address);
}

/** 100 units from alice to bob. */
function plainTransfer(token: TokenLabel, file: CaseFile): CaseFile {
  const data = `0x${encodeTuple([{ kind: "uint", bits: 256, dynamic: false, words: 1 }], [100n])}`;
  const word = (address: Address) => `0x${address.slice(2).padStart(64, "0")}`;
  const log: RpcLog = { address: token.address, topics: [transferTopic, word(alice), word(bob)], data };
  const input = `${transferSelector}${word(bob).slice(2)}${data.slice(2)}` as Hex;
  return {
    ...file,
    transaction: { hash: file.tx_hash, type: "0x2", from: alice, to: token.address, value: "0x0", input },
    receipt: { status: "0x1", logs: [log] },
  };
}

/** Ether movements as an explorer lists them. */
function nativeRows({ trial }: Original): InternalTransfer[] {
  return trial.tx.movements
    .filter((move) => move.standard === "native")
    .map(({ from, to, amount }) => ({ type: "call", from, to, value: amount.toString(), success: true }));
}
