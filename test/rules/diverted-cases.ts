import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { AbiType } from "../../src/rules/abi/abi-type.ts";
import { listYaml } from "../../src/rules/ruleset/load.ts";
import { GivenNames } from "../../src/tools/lint/examples/given-names.ts";
import { root } from "../support/shared.ts";
import { shippedWorld } from "./world.ts";

/** Examples of rules in which an event says that the sender gets something. Each is changed so that somebody else gets it. */
export const world = shippedWorld();
export const stranger = "0x5715c0fFEe5715c0FFee5715c0fFee5715c05715";
export const named = "0x5715…5715";

/** Names that events use for the account that gets something, on this chain or on another one. */
const receivers = /^(?:\w*recipient|receiver|to|dst|onBehalf(?:Of)?)$/iu;

/** Where it is right that he is not told, or not by this. */
const accepted: Record<string, string> = {
  "aave-v3/withdraw-and-swap": "the adapter gets what the pool pays out, and swaps it",
  "eas/attest-through": "an attestation is about its recipient, who gets nothing",
  "eas/revoke-through": "an attestation is about its recipient, who gets nothing",
  "aave-v3/withdraw-ether": "the gateway gets what the pool pays out, and unwraps it",
};

type Place = (string | number)[];
type Given = Record<string, unknown>;

/** The event arguments that name the example's sender as the account that gets something. */
function placesOf(protocol: string, given: Given): Place[] {
  const names = namesOf(protocol);
  const places: Place[] = [];
  const walk = (type: AbiType & { kind: "tuple" }, args: Given, at: Place): void =>
    type.items.forEach((item, i) => {
      const name = type.names[i] as string;
      const value = args[name];
      if (item.kind === "tuple") walk(item, (value ?? {}) as Given, [...at, name]);
      else if (receivers.test(name) && value === "alice") places.push([...at, name]);
    });
  ((given.logs ?? []) as Given[]).forEach((log, i) => {
    const [name, args] = Object.entries(log)[0] as [string, Given];
    const item = name === "transfer" ? undefined : names.item(name);
    if (item?.kind === "event") walk(item.inputs, args, ["logs", i, name]);
  });
  return places;
}

export function namesOf(protocol: string): GivenNames {
  const scope = world.scopes.get(protocol);
  if (scope === undefined) throw new Error(`no file ${protocol}`);
  return new GivenNames(scope, (id) => world.scopes.get(id), world.labels);
}

/** The same example, but a stranger gets what the sender got, and the event says so. */
export function diverted(given: Given, places: readonly Place[]): Given {
  const copy = structuredClone(given);
  for (const place of places) {
    let node = copy as Record<string | number, never>;
    for (const step of place.slice(0, -1)) node = node[step] as never;
    node[place.at(-1) as string] = stranger as never;
  }
  for (const log of (copy.logs ?? []) as { transfer?: Given }[])
    if (log.transfer?.to === "alice") log.transfer.to = stranger;
  for (const move of (copy.native ?? []) as Given[]) if (move.to === "alice") move.to = stranger;
  return copy;
}

interface Written {
  kind: string;
  protocol: string;
  rules?: { id: string; action?: string; example?: Given }[];
}

export const cases = listYaml(join(root, "rules")).flatMap((file) => {
  const { kind, protocol, rules = [] } = parse(readFileSync(file, "utf8")) as Written;
  // A template has no contracts of its own, so it has no cases.
  if (kind === "template") return [];
  return rules.flatMap(({ id, example }) => {
    if (protocol === undefined || example === undefined || example.tx !== undefined || example.message !== undefined)
      return [];
    const { says: _, action: __, ...given } = example;
    if (given.from !== undefined && given.from !== "alice") return [];
    const places = placesOf(protocol, given);
    const rule = `${protocol}/${id}`;
    return places.length === 0 || rule in accepted ? [] : [{ rule, protocol, given, places }];
  });
});
