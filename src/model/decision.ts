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
  /** Present for a preview. The explanation is then made from the facts of the preview. */
  preview?: ToldPreview;
  /** The evidence. It is made on demand, since most callers want only the answer. */
  evidence(): Evidence;
}

/** A decision that can also be drawn, and give views of single accounts without deciding again. */
export interface ViewedDecision extends Decision {
  /** What a picture needs further; made on demand. */
  pictureFacts(): PictureFacts;
  /** What the transaction did to one account; null: the account whose act is told. `lookups` replace those of the case file. */
  view(account: Address | null, lookups?: ViewLookups): MaybePromise<AccountView>;
}
