import type { MessageItem } from "../../../abi/message.ts";
import type { ActionTypes } from "../../actions.ts";
import type { MessageEntry } from "../../document/message-entry.ts";
import type { RuleEntry } from "../../document/rule-document.ts";
import type { MessageRule } from "../../message-rule.ts";
import type { FileScope } from "../spot.ts";

/** What makes rules about messages of a file. It is handed in, so that whoever decides transactions alone need not load it. */
export interface MessageCompiler {
  /** Throws with a sentence for the author. */
  parse(text: string): MessageItem;
  compile(file: FileScope, entry: RuleEntry & MessageEntry, position: number, actions: ActionTypes): MessageRule[];
}
