import { signatureFacts } from "../../abi/signature.ts";
import type { Engine } from "../../engine/build-engine.ts";
import type { Address } from "../../kernel/address.ts";
import { decimalText } from "../../kernel/amount.ts";
import { compareText } from "../../kernel/canonical.ts";
import type { Hex } from "../../kernel/hex.ts";
import { addressLabel } from "../../model/label.ts";
import type { GapPlace } from "../../volume/gaps.ts";

/** A function or an event that no rule knows there. One of selector and topic0 is given. */
export interface UnexplainedPlace {
  address: Address;
  label: string | null;
  selector: string | null;
  topic0: Hex | null;
  /** What some rule file calls it, such as `transfer(address,uint256)`; several where hashes agree, null when none knows it. */
  signature: string | null;
  /** Cases that it is in. */
  cases: number;
  /** Ether that moved unexplained in these cases, as far as its worth is known. A case counts whole at each of its places. */
  worth_eth: string;
  /** One of them. */
  example: string;
}

/** Counts what is unexplained, place by place. */
export class GapCount {
  /** `worth`: wei. */
  readonly #places: Map<string, { place: GapPlace; cases: number; worth: bigint; example: string }> = new Map();

  /** Adds what is unexplained in one case. `worth`: wei. */
  add(example: string, places: readonly GapPlace[], worth: bigint): void {
    for (const place of places) {
      const key = `${place.address} ${place.selector} ${place.topic0}`;
      const known = this.#places.get(key);
      if (known === undefined) this.#places.set(key, { place, cases: 1, worth, example });
      else {
        known.cases++;
        known.worth += worth;
      }
    }
  }

  /** The places with the names that labels and rule files have for them, most cases first. */
  describe({ labels }: Pick<Engine, "labels">): UnexplainedPlace[] {
    const facts = Object.values(signatureFacts()).filter(({ item }) => ["function", "event"].includes(item.type));
    const known = Map.groupBy(facts, ({ hash }) => hash as string);
    return [...this.#places]
      .sort(([a, { cases }], [b, other]) => other.cases - cases || compareText(a, b))
      .map(([, { place, cases, worth, example }]) => {
        const same = known.get(place.selector ?? place.topic0 ?? "")?.map(({ signature }) => signature);
        return {
          ...place,
          label: addressLabel(labels, place.address),
          signature: same === undefined ? null : [...new Set(same)].sort().join(" or "),
          cases,
          worth_eth: decimalText(worth, 18),
          example,
        };
      });
  }
}
