import { checksum } from "../../../kernel/address.ts";
import { limits } from "../../../kernel/limits.ts";
import { addressLabel, type Labels } from "../../../model/label.ts";
import type { MessageGrant } from "../../../model/told/message-explanation.ts";
import type { GivenRight } from "../../match/messages/signed-offer.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { isoTime, yearTenThousand } from "../amounts/measure.ts";

/** `untrusted`: positions with a stranger's symbol. */
export function listGrants(rights: readonly GivenRight[], labels: Labels, names: AssetNames) {
  const shown = rights.slice(0, limits.signedGrantsMax);
  const untrusted: number[] = [];
  const list = shown.map((right, i): MessageGrant => {
    const { token, spender, id, until } = right;
    const { listed, symbol } = names.facts(token);
    const name = names.name(token);
    if (name.untrusted) untrusted.push(i);
    return {
      token: listed && symbol !== null ? symbol : name.untrusted ? (symbol ?? "") : names.short(token),
      token_address: checksum(token),
      spender: checksum(spender),
      spender_label: addressLabel(labels, spender),
      amount: amountOf(right, names),
      ...(id === null ? {} : { token_id: id.toString() }),
      until: until === null || until >= yearTenThousand ? null : isoTime(Number(until)),
    };
  });
  return { list, untrusted, cut: shown.length < rights.length };
}

function amountOf({ token, amount, endless }: GivenRight, names: AssetNames): string | null {
  if (amount === null) return null;
  return endless || names.isUnlimited(token, amount) ? "unlimited" : names.exact(token, amount);
}
