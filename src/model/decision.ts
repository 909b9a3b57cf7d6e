import type { Evidence } from "./evidence.ts";
import type { Explanation } from "./explanation.ts";
import type { PictureFacts } from "./told/picture-facts.ts";
import type { ToldPreview } from "./told/preview.ts";

/** The answer for one transaction, and how it was reached. */
export interface Decision {
  explanation: Explanation;
  /** Present where nothing happened yet; the explanation then is what the facts of the preview give. */
  preview?: ToldPreview;
  /** Made when it is asked for, since most callers want the answer only. */
  evidence(): Evidence;
  /** What a picture needs beside the explanation; made when it is asked for. */
  pictureFacts(): PictureFacts;
}
