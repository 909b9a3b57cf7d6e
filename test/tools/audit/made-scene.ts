import type { Address } from "../../../src/kernel/address.ts";
import { toAddress } from "../../../src/kernel/address.ts";
import type { CaseFile, RpcLog } from "../../../src/model/case-file.ts";
import type { Explanation } from "../../../src/model/explanation.ts";
import type { CallStep, EmittedLog, Facts, Move } from "../../../src/tools/audit/facts/facts.ts";
import { lossesOf } from "../../../src/tools/audit/facts/losses.ts";
import { holdingOf } from "../../../src/tools/audit/facts/moves.ts";
import type { Authority } from "../../../src/tools/audit/facts/principals.ts";
import type { Right } from "../../../src/tools/audit/facts/rights.ts";
import type { Knowledge } from "../../../src/tools/audit/knowledge.ts";
import type { Scene } from "../../../src/tools/audit/scene.ts";
import { readTelling } from "../../../src/tools/audit/telling.ts";
import { alice, bob, caseOf, usdc, vault, weth } from "../../support/case-of.ts";
import { explanationOf } from "../../support/sample.ts";

/** A contract for which the made-up knowledge has a name, of the protocols Acme and Acme Bank. */
export const acme = toAddress(`0x${"ac".repeat(20)}`);
/** The made EntryPoint. */
export const entry = toAddress(`0x${"e9".repeat(20)}`);
export const [dora, erik, fred] = ["d0", "e1", "f2"].map((byte) => toAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
];

/** USDC is listed, `acme` has a name. */
export const known: Knowledge = {
  name: (address) => (address === acme ? { label: "Acme Pool", protocols: ["Acme", "Acme Bank"] } : undefined),
  token: (address) => (address === usdc ? { symbol: "USDC", decimals: 0 } : undefined),
  isEntryPoint: (address) => address === entry,
  isPermit2: () => false,
  isSafe: () => false,
  isOfChain: (address) => /^0x(?:42000000|0{38})/.test(address),
  wrapped: new Set([weth]),
  protocols: ["Acme", "Other"],
};

/** An answer that tells nothing. */
const silent: Partial<Explanation> = { assets_moved: [], counterparties: [], risk_flags: [], partial: false };

export interface SceneParts {
  moves?: Move[];
  steps?: CallStep[];
  facts?: Partial<Facts>;
  file?: Partial<CaseFile>;
  summary?: string;
  answer?: Partial<Explanation>;
  principals?: [Address, Authority][];
  scene?: Partial<Scene>;
}

/** The input of a law, made by hand: alice calls the vault and is the only principal. */
export function sceneOf(parts: SceneParts = {}): Scene {
  const moves = parts.moves ?? [];
  const file = { ...caseOf(), ...parts.file };
  const facts: Facts = {
    ...{ file, sender: alice, called: vault, succeeded: true, logs: [], steps: parts.steps ?? [], traced: true },
    ...{ etherKnown: true, moves, byAsset: Map.groupBy(moves, ({ key }) => key), byLog: new Map(), ...parts.facts },
  };
  const answer = explanationOf(file.tx_hash, { ...silent, summary: parts.summary ?? "", ...parts.answer });
  const principals = new Map<Address, Authority>(parts.principals ?? [[alice, "sender"]]);
  return {
    facts,
    knowledge: known,
    principals,
    telling: readTelling(answer, file, known),
    losses: [...principals.keys()].flatMap((account) => lossesOf(account, facts, known)),
    rights: [],
    controls: [],
    ...parts.scene,
  };
}

export function moveOf(of: Address | null, from: Address, to: Address, amount: bigint, id: bigint | null = null): Move {
  return { ...holdingOf(of, id), amount, from, to, log: -1 };
}

/** Bob may take 5 units of Alice's USDC. */
export function rightOf(parts: Partial<Right> = {}): Right {
  return { owner: alice, spender: bob, token: usdc, left: 5n, log: 0, certain: true, ...parts };
}

/** Bob became an owner of Alice's account. */
export const ownerAdded = { of: alice, what: "an owner was added", party: bob, number: undefined };

/** Logs in the form of the facts. Each has its place in the list as its position. */
export function emittedOf(logs: readonly RpcLog[]): EmittedLog[] {
  return logs.map(({ address, topics, data }, index) => ({ index, address: toAddress(address), topics, data }));
}

/** A call; the position in the list is its own. */
export function stepsOf(...steps: Partial<CallStep>[]): CallStep[] {
  const base = {
    parent: -1,
    type: "CALL",
    from: alice,
    to: vault,
    value: 0n,
    input: "0x",
    selector: "0x",
    emitted: [],
  };
  return steps.map((step, index) => ({ ...base, index, ...step }));
}
