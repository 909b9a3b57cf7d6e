import type { Engine } from "../../../engine/build-engine.ts";
import type { Address } from "../../../kernel/address.ts";
import { decimalText } from "../../../kernel/amount.ts";
import { compareText } from "../../../kernel/canonical.ts";
import type { Hex } from "../../../kernel/hex.ts";
import { addressLabel } from "../../../model/label.ts";
import { signatureFacts } from "../../../rules/abi/signature.ts";
import type { GapPlace } from "../../volume/gaps.ts";

/** Unknown to every rule at this contract. Either selector or topic0. */
export interface UnexplainedPlace {
  address: Address;
  label: string | null;
  selector: string | null;
  topic0: Hex | null;
  /** In any rule file: `transfer(address,uint256)`; several with the same hash; null: in none. */
  signature: string | null;
  cases: number;
  /** Ether that moved unexplained, as far as known. A case counts in full at each of its places. */
  worth_eth: string;
  /** A transaction of one of the cases. */
  example: string;
}

export class GapCount {
  /** `worth`: wei. */
  readonly #places: Map<string, { place: GapPlace; cases: number; worth: bigint; example: string }> = new Map();

  /** `worth`: wei. */
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

  /** The most frequent first, with names of labels and rule files. */
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
