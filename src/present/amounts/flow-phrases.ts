import { type Address, zeroAddress } from "../../kernel/address.ts";
import type { AssetChange, MatchContext } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import { findPayees } from "../../money/payees.ts";
import { joinWords } from "../phrase.ts";
import type { Teller } from "../teller.ts";
import type { AssetNames } from "./asset-names.ts";

/** Assets of one sentence that are named; the rest is counted. */
const assetsMax = 3;

/** Says what an account gave or got, and who was on the other side. */
export class FlowPhrases {
  readonly #assets: AssetNames;
  readonly #teller: Teller;
  readonly #nameOf: (address: Address) => string;

  constructor(assets: AssetNames, teller: Teller, nameOf: (address: Address) => string) {
    this.#assets = assets;
    this.#teller = teller;
    this.#nameOf = nameOf;
  }

  /** One side of a net flow; undefined when there was nothing to see. */
  side({ flow, tx }: MatchContext, side: "gives" | "gets"): Phrase | undefined {
    if (flow[side].length > 0) return this.#list(flow[side]);
    if (flow.complete) return undefined;
    const unwraps = tx.movements.some((move) => move.basis === "inferred");
    return trusted(this.#teller.words(side === "gets" && unwraps ? "asset.untraced_ether" : "asset.untraced"));
  }

  /** Whom the account gave to, else from whom it got. */
  others({ flow: { gives, recipients, senders } }: MatchContext): Phrase | undefined {
    return this.#accounts((gives.length > 0 ? recipients : senders).filter((account) => account !== zeroAddress));
  }

  /** The same without the contract that was called and without tokens that made or took what they are. */
  elsewhere({ flow: { gives, gets, recipients, senders }, target }: MatchContext): Phrase | undefined {
    const [assets, accounts] = gives.length > 0 ? [gives, recipients] : [gets, senders];
    const plain = new Set<Address | null>([zeroAddress, target, ...assets.map(({ token }) => token)]);
    return this.#accounts(accounts.filter((account) => !plain.has(account)));
  }

  /** Who got the proceeds instead of the account. */
  payee({ tx, subject, flow }: MatchContext): Phrase | undefined {
    return this.#accounts(findPayees(tx, subject, new Set(flow.gives.map(({ key }) => key))).slice(0, 1));
  }

  /** Above the limit, what can be believed comes first: a stranger's tokens cannot push it out. */
  #list(assets: readonly AssetChange[]): Phrase {
    const isListed = ({ token }: AssetChange) => this.#assets.facts(token).listed;
    const ordered =
      assets.length <= assetsMax ? assets : [...assets.filter(isListed), ...assets.filter((asset) => !isListed(asset))];
    const shown = ordered.slice(0, assetsMax).map((asset) => this.#assets.asset(asset));
    const rest = ordered.slice(assetsMax);
    this.#assets.count(rest);
    const texts = shown.map((phrase) => phrase.text);
    if (rest.length > 0) texts.push(this.#teller.say("asset.more", { count: rest.length }).text);
    return { text: joinWords(texts), untrusted: shown.some((phrase) => phrase.untrusted) };
  }

  #accounts(accounts: readonly Address[]): Phrase | undefined {
    const first = accounts[0];
    if (first === undefined) return undefined;
    const name = this.#nameOf(first);
    const count = accounts.length - 1;
    return count === 0 ? trusted(name) : this.#teller.say("value.and_others", { first: name, count });
  }
}

function trusted(text: string): Phrase {
  return { text, untrusted: false };
}
