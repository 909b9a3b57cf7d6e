import type { MessageItem } from "../../../abi/message.ts";
import type { ActionTypes } from "../../actions.ts";
import type { MessageEntry } from "../../document/message-entry.ts";
import type { RuleEntry } from "../../document/rule-document.ts";
import type { MessageRule } from "../../message-rule.ts";
import type { FileScope } from "../spot.ts";

/** Passed in, so that a program that decides only transactions does not load it. */
export interface MessageCompiler {
  /** Throws with a sentence for the author. */
  parse(text: string): MessageItem;
  compile(file: FileScope, entry: RuleEntry & MessageEntry, position: number, actions: ActionTypes): MessageRule[];
}
