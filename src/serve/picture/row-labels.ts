import { counted } from "../../kernel/amount.ts";
import type { FailureFacts, GrantFacts } from "../../model/told/picture-facts.ts";
import { amountText, type CastLeg, type CastToken, grantTokenName } from "./cast.ts";
import { figureOf } from "./figures.ts";
import { others, type PictureRow } from "./rows.ts";
import type { Sketch } from "./sketch.ts";
import { fitText, nameText } from "./text.ts";

export function labelOf(scene: Sketch, row: PictureRow): string {
  switch (row.kind) {
    case "moves":
      return row.from === others && row.to === others
        ? `${row.legs.length} among them`
        : movesLabel(scene, row.legs as [CastLeg]);
    case "rest":
      return `${row.legs.length} more, in the table`;
    case "grant":
      return grantLabel(row.grant);
    case "more_grants":
      return `${counted(row.count, "more right")}, in the table`;
    case "failure":
      return `${scene.pictured.planned ? "would fail" : "failed"}${reasonOf(row.failure)}`;
    case "quiet":
      return quietLabel(scene.pictured);
  }
}

function movesLabel({ cast }: Sketch, legs: readonly [CastLeg, ...CastLeg[]]): string {
  const [first] = legs;
  const token = cast.tokens.get(first.token) as CastToken;
  const units = legs.reduce((sum, leg) => sum + leg.units, 0n);
  const gas = first.fee ? "gas: " : "";
  if (token.nft) return `${gas}${nftLabel(token, legs, units)}`;
  const sum = legs.length > 1 ? ` (sum of ${legs.length})` : "";
  return `${gas}${amountOf(amountText(units, token.scale), token.name, token.raw)}${sum}`;
}

function nftLabel({ name }: CastToken, legs: readonly [CastLeg, ...CastLeg[]], units: bigint): string {
  if (legs.length > 1) return `${legs.length} NFTs of ${name}`;
  const id = legs[0].asset.token_id ?? "";
  return `${units === 1n ? "" : `${figureOf(String(units))} × `}NFT ${name} #${fitText(id, 1, 6)}`;
}

function amountOf(amount: string, name: string, raw: boolean, digits = 6): string {
  return `${figureOf(amount, digits)} ${raw ? "raw " : ""}${name}`;
}

function grantLabel(grant: GrantFacts): string {
  const name = grantTokenName(grant);
  const may = grant.uncertain ? "perhaps may spend" : "may spend";
  if (grant.kind === "operator") return `may move all NFTs of ${name}`;
  if (grant.kind === "nft") return `may move an NFT of ${name}`;
  if (grant.unlimited) return `${may} unlimited ${name}`;
  return `${may} ${amountOf(grant.amount ?? "0", name, grant.raw)}`;
}

function quietLabel({ planned, explanation: { partial } }: Sketch["pictured"]): string {
  if (planned) return partial ? "What would move is not known" : "Nothing would move";
  return partial ? "No movement was seen" : "Nothing moved";
}

function reasonOf({ reason, untrusted }: FailureFacts): string {
  if (reason === null) return "";
  // `nameText` adds quotes of its own.
  const own = untrusted ? reason.replace(/^"|"$/g, "") : reason;
  return `: ${nameText(own, untrusted, 48)}`;
}
