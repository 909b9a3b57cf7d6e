import { canonicalJson } from "../../../../kernel/canonical.ts";
import { digestOf } from "../../../../kernel/hash.ts";
import { parseMessage } from "../../../abi/message.ts";
import { tierOf } from "../../actions.ts";
import type { Getter } from "../../compiled.ts";
import type { MessageEntry, RepeatedEntry, SignedAssetEntry, SignedRightEntry } from "../../document/message-entry.ts";
import type { RuleEntry } from "../../document/rule-document.ts";
import type { MessagePlace, MessageRule, SignedAsset, SignedRight } from "../../message-rule.ts";
import { addressOr, compileCaptures } from "../capture.ts";
import { compileElements } from "../elements.ts";
import { compileGate, gateStrength } from "../gate.ts";
import type { PathType } from "../paths/fixed-paths.ts";
import { Spot } from "../spot.ts";
import { parseTemplate } from "../template.ts";
import { compileWhole } from "../where.ts";
import { compileCarried } from "./carried.ts";
import type { MessageCompiler } from "./message-compiler.ts";

export const messageCompiler: MessageCompiler = { parse: parseMessage, compile: compileMessage };

/** An entry with `sign`: one rule, or none where a mistake makes it unusable. */
function compileMessage(...[file, entry, position, actions]: Parameters<MessageCompiler["compile"]>): MessageRule[] {
  const outer = new Spot(file, ["rules", position]);
  const action = actions.get(entry.action);
  if (action === undefined)
    return outer.in("action").unknown("RL204", entry.action, (say) => say.noActionType(), actions.keys()) ?? [];
  const message = outer.in("sign").message(entry.sign);
  if (message === undefined) return [];
  const spot = outer.reading({ args: message.inputs, anchor: "sign" });
  const place = placeOf(spot, entry);
  const strength = place.kind === "named" ? namedStrength : gateStrength(place.gate);
  const { kind, name, protocol } = file.document;
  if (entry.carries?.each !== undefined) outer.in("carries", "each").report("RL316", (say) => say.oneCall());
  const parts = entry.parts === undefined ? null : compileParts(spot.in("parts"), entry.parts);
  if (parts === undefined) return [];
  const giving = parts ?? { entry, spot, list: null };
  const { allows, gets } = giving.entry;
  const assets = (side: "gives" | "gets") => giving.spot.in(side).each(giving.entry[side], compileAsset);
  return [
    {
      id: `${protocol}/${entry.id}`,
      file: file.reporter.file,
      version: () => digestOf(file.facts() + canonicalJson(entry)).slice(0, 12),
      protocol: kind === "protocol" && strength > 0 ? (name ?? protocol) : null,
      action: action.id,
      tier: tierOf(action, strength, false),
      captures: compileCaptures(spot.in("capture"), entry.capture),
      does: parseTemplate(entry.does),
      where: compileWhole(spot.in("where"), entry.where),
      message,
      parts: giving.list,
      place,
      everyChain: entry.every_chain ?? false,
      strength,
      yields: entry.yields ?? false,
      allows: giving.spot.in("allows").each(allows, compileRight),
      gives: assets("gives"),
      gets: gets === undefined ? null : assets("gets"),
      empowers: spot.in("empowers").each<string, Getter>(entry.empowers, (at, path) => at.getter(path, "address")),
      call: compileCarried(spot.in("carries"), entry.carries),
    },
  ];
}

/** The rule about each element; its paths read the element as the message. */
function compileParts(spot: Spot, { each, rule, one, many }: NonNullable<MessageEntry["parts"]>) {
  const rules = spot.file.document.rules ?? [];
  const position = rules.findIndex(({ id }) => id === rule);
  const entry = rules[position];
  const path = spot.in("each").path(each, ["array"]);
  if (entry?.sign === undefined || entry.parts !== undefined)
    return spot.in("rule").unknown(
      "RL316",
      rule,
      (say) => say.noMessageRule(),
      rules.map(({ id }) => id),
    );
  const item = path?.layout?.kind === "array" ? path.layout.item : null;
  if (path === undefined || item?.kind !== "tuple") return undefined;
  const inner = new Spot(spot.file, ["rules", position]).reading({ args: item, anchor: "sign" });
  return { entry, spot: inner, list: { each: path.get, one, many } };
}

/** Without a verifying contract the domain is all that a signature is bound to, so it proves as much as a known contract (gateStrength). */
const namedStrength = 3;

function placeOf(spot: Spot, { domain, at, place }: MessageEntry & RuleEntry): MessagePlace {
  if (domain === undefined) {
    const of = place === undefined ? null : (spot.in("place").getter(place, "address") ?? null);
    return { kind: "contract", gate: compileGate(spot.in("at"), at), of };
  }
  if (at !== undefined) spot.in("domain").report("RL316", (say) => say.domainWithPlace());
  return { kind: "named", name: domain.name, version: domain.version ?? null };
}

/** `inner`: where the entry's other paths are read. */
function compileEach(spot: Spot, { each, when }: RepeatedEntry) {
  const array = each === undefined ? undefined : compileElements(spot.in("each"), each);
  const inner = array === undefined ? spot : spot.reading({ item: array.item });
  return {
    inner,
    repeated: { each: array ?? null, when: when === undefined ? null : compileWhole(inner.in("when"), when) },
  };
}

function compileRight(spot: Spot, entry: SignedRightEntry): SignedRight[] {
  const { inner, repeated } = compileEach(spot, entry);
  const token = addressOr(inner.in("token"), entry.token);
  const spender = addressOr(inner.in("spender"), entry.spender);
  const amount = inner.in("amount").path(entry.amount, ["uint"]);
  const until = optional(inner, "until", entry.until, "uint");
  const id = entry.id === "all" ? entry.id : optional(inner, "id", entry.id, "uint");
  if (token === undefined || spender === undefined) return [];
  const bits = amount?.layout?.kind === "uint" ? amount.layout.bits : 256;
  const endless = bits === 256 ? null : (1n << BigInt(bits)) - 1n;
  return [{ ...repeated, token, spender, amount: amount?.get ?? null, endless, until, id }];
}

function compileAsset(spot: Spot, entry: SignedAssetEntry): SignedAsset | undefined {
  const { inner, repeated } = compileEach(spot, entry);
  const nft = entry.nft !== undefined;
  if (nft === (entry.token !== undefined)) return spot.report("RL316", (say) => say.tokenOrNft());
  const field = nft ? "nft" : "token";
  const token = addressOr(inner.in(field), entry[field]);
  const amounts = inner.in("amount").each<string, Getter>(entry.amount, (at, path) => at.getter(path, "uint"));
  if (!nft && entry.amount === undefined) return spot.report("RL316", (say) => say.amountMissing());
  const to = optional(inner, "to", entry.to, "address");
  const id = optional(inner, "id", entry.id, "uint");
  return token && { ...repeated, token, nft, id, amounts, to };
}

function optional(spot: Spot, name: string, path: string | undefined, type: PathType): Getter | null {
  return path === undefined ? null : (spot.in(name).getter(path, type) ?? null);
}
