import type { MessageFlag } from "../../model/told/message-explanation.ts";
import { returnOf } from "./asked-return.ts";
import type { MessageFindings, MessageTools } from "./message-findings.ts";

/** Flags that only a message can raise. They stand before those of its addresses and tokens. */
export function messageFlags(findings: MessageFindings, { teller, names }: MessageTools): MessageFlag[] {
  const { matched, domain, account: signer } = findings;
  const flags: MessageFlag[] = [];
  const say = (flag: MessageFlag["flag"], detail: string) => flags.push({ flag, detail });
  const back = matched && returnOf(matched, names);
  if (back === "nothing") say("gives_for_nothing", teller.say("message.nothing_back", { signer }).text);
  if (back === "some") say("gives_for_nothing", teller.say("message.nothing_for_some", { signer }).text);
  if (back === "trifle") say("gives_for_nothing", teller.say("message.trifle_back", { signer }).text);
  // A rule that yields tells what the contract's author says of a message; what a signature allows is not known by that.
  if (matched === undefined || matched.rule.yields) say("unknown_message", teller.words("message.unknown_flag"));
  if (domain.chainId === null) say("no_chain", teller.words("message.no_chain_flag"));
  return flags;
}
