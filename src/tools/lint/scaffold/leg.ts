import { type Address, zeroAddress } from "../../../kernel/address.ts";
import type { Movement } from "../../../model/transaction.ts";
import type { Argument } from "./argument.ts";
import type { SeenContract } from "./survey.ts";

/** An argument states its amount. */
export interface DraftLeg {
  name: "paid" | "got";
  /** YAML, with a capture of its amount. */
  leg: string;
  capture: string;
}

interface LegContext {
  subject: Address;
  contract: SeenContract;
  anchor: "event" | "call";
}

/** At most one each way, with parties that are known or that an argument names. */
export function findLegs(args: readonly Argument[], movements: readonly Movement[], context: LegContext): DraftLeg[] {
  const { subject } = context;
  const own = movements.filter(
    (move) => !move.fee && move.amount > 0n && move.tokenId === null && move.from !== move.to,
  );
  const sides = [
    { name: "paid" as const, moves: own.filter((move) => move.from === subject) },
    { name: "got" as const, moves: own.filter((move) => move.to === subject) },
  ];
  return sides.flatMap(({ name, moves }) => {
    const legs = moves.flatMap((move) => {
      const stated = args.find(({ type, value }) => type.kind === "uint" && value === move.amount);
      return stated === undefined ? [] : write(name, move, { stated, args, context });
    });
    return legs.slice(0, 1);
  });
}

function write(
  name: DraftLeg["name"],
  move: Movement,
  { stated, args, context }: { stated: Argument; args: readonly Argument[]; context: LegContext },
): DraftLeg {
  const { contract, anchor } = context;
  const pathOf = (address: Address | null) =>
    args.find(({ type, value }) => type.kind === "address" && value === address)?.path;
  const own = anchor === "event" ? "emitter" : `contracts.${contract.role}`;
  const token = move.token === null ? "native" : move.token === contract.address ? own : pathOf(move.token);
  const party = (address: Address) => {
    if (address === context.subject) return "subject";
    if (address === contract.address) return contract.role;
    return address === zeroAddress ? "zero" : pathOf(address);
  };
  const fields = {
    token,
    from: party(move.from),
    to: party(move.to),
    amount: stated.path,
    standards: token === undefined ? "[erc20]" : undefined,
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  const of = move.token === null ? "native" : `legs.${name}.token`;
  return {
    name,
    leg: `{ ${known.map(([field, value]) => `${field}: ${value}`).join(", ")} }`,
    capture: `{ amount: ${stated.path}, of: ${of} }`,
  };
}
