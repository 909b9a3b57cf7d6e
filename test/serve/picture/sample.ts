import type { AssetMoved, Counterparty } from "../../../src/model/explanation.ts";
import type { FailureFacts, GrantFacts, PictureFacts } from "../../../src/model/told/picture-facts.ts";
import type { Pictured } from "../../../src/serve/picture/cast.ts";

/** An address by a letter: `S` is the subject, `0` the zero address. */
export function addressOf(letter: string): string {
  return `0x${letter.repeat(40)}`;
}

/** The letter of an address; anything else stays. */
export function letterIn(address: string | null): string {
  return address === null ? "-" : address.startsWith("0x") ? (address[2] as string) : address;
}

export interface PicturedSample {
  /** Each is `from to amount token`, then perhaps `fee`, `raw`, `untrusted`, `#id`: `S A 1.5 USDC fee`. */
  moves?: readonly string[];
  grants?: readonly Partial<GrantFacts>[];
  failures?: readonly Partial<FailureFacts>[];
  /** Letters with their label, in the order of the answer. */
  parties?: Readonly<Record<string, string | null>>;
  labels?: Readonly<Record<string, string>>;
  target?: string | null;
  partial?: boolean;
  planned?: boolean;
}

/** A transaction made up for a drawing. */
export function picturedOf(sample: PicturedSample): Pictured {
  const { moves = [], grants = [], failures = [], parties = {}, labels = {}, target = null, partial = false } = sample;
  const read = moves.map(readMove);
  const facts: PictureFacts = {
    subject: addressOf("S"),
    sender: addressOf("S"),
    target: target === null ? null : addressOf(target),
    legs: read.map(({ words }, movement) => ({
      ...{ movement, fee: words.includes("fee"), raw: words.includes("raw"), inferred: false },
    })),
    cut: 0,
    changes: [],
    grants: grants.map(grantOf),
    labels: Object.fromEntries(Object.entries(labels).map(([letter, label]) => [addressOf(letter), label])),
    failures: failures.map((failure) => ({
      ...{ from: addressOf("S"), to: addressOf("A"), selector: null, reason: null, untrusted: false },
      ...failure,
    })),
    logs: [],
  };
  const counterparties: Counterparty[] = Object.entries(parties).map(([letter, label]) => ({
    ...{ address: addressOf(letter), label },
  }));
  const untrusted_fields = read.flatMap(({ words }, i) =>
    words.includes("untrusted") ? [`assets_moved[${i}].token`] : [],
  );
  return {
    explanation: {
      ...{ summary: "S did & said.", assets_moved: read.map(({ asset }) => asset), counterparties, partial },
      provenance: { untrusted_fields, note: "" },
    },
    facts,
    ...(sample.planned !== undefined && { planned: sample.planned }),
  };
}

/** A right of the subject's that A may use. */
export function grantOf(more: Partial<GrantFacts>): GrantFacts {
  return {
    ...{ token: "USDC", untrusted: false, token_address: addressOf("U"), owner: addressOf("S") },
    ...{ spender: addressOf("A"), kind: "amount", amount: "12.5", raw: false, unlimited: false },
    ...{ through: null, until: null, uncertain: false },
    ...more,
  };
}

function readMove(text: string): { asset: AssetMoved; words: string[] } {
  const [from = "", to = "", amount = "", token = "", ...words] = text.split(" ");
  const token_id = words.find((word) => word.startsWith("#"))?.slice(1);
  const asset = {
    ...{ token, amount, from: addressOf(from), to: addressOf(to) },
    token_address: token === "ETH" ? null : addressOf(token.slice(0, 1)),
    ...(token_id !== undefined && { token_id }),
    standard: token === "ETH" ? "native" : token_id === undefined ? "erc20" : "erc1155",
  } as AssetMoved;
  return { asset, words };
}
