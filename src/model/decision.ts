import type { Address } from "../kernel/address.ts";
import type { MaybePromise } from "../kernel/maybe-promise.ts";
import type { ViewLookups } from "./case-file.ts";
import type { Evidence } from "./evidence.ts";
import type { Explanation } from "./explanation.ts";
import type { AccountView } from "./told/account-view.ts";
import type { PictureFacts } from "./told/picture-facts.ts";
import type { ToldPreview } from "./told/preview.ts";

/** The answer for one transaction, and how it was reached. */
export interface Decision {
  explanation: Explanation;
  /** Present where nothing happened yet; the explanation then is what the facts of the preview give. */
  preview?: ToldPreview;
  /** Made when it is asked for, since most callers want the answer only. */
  evidence(): Evidence;
}

/** A decision that can be drawn. */
export interface PicturedDecision extends Decision {
  /** What a picture needs beside the explanation; made when it is asked for. */
  pictureFacts(): PictureFacts;
}

/** A decision that single accounts can be told of, without deciding again. */
export interface ViewedDecision extends PicturedDecision {
  /** What the transaction did to one account; null: the account whose act is told. `lookups` take the place of those in the case file. */
  view(account: Address | null, lookups?: ViewLookups): MaybePromise<AccountView>;
}
