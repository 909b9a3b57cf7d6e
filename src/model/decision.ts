import type { Address } from "../kernel/address.ts";
import type { MaybePromise } from "../kernel/maybe-promise.ts";
import type { ViewLookups } from "./case-file.ts";
import type { Evidence } from "./evidence.ts";
import type { Explanation } from "./explanation.ts";
import type { AccountView } from "./told/account-view.ts";
import type { PictureFacts } from "./told/picture-facts.ts";
import type { ToldPreview } from "./told/preview.ts";

export interface Decision {
  explanation: Explanation;
  /** Of a preview; the explanation is then made from its facts. */
  preview?: ToldPreview;
  /** Made on demand: most callers want only the answer. */
  evidence(): Evidence;
}

/** Can also be drawn, and viewed by account without deciding again. */
export interface ViewedDecision extends Decision {
  /** Made on demand. */
  pictureFacts(): PictureFacts;
  /** null: the subject. `lookups` replace those of the case file. */
  view(account: Address | null, lookups?: ViewLookups): MaybePromise<AccountView>;
}
