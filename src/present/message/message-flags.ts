import type { MessageFlag } from "../../model/told/message-explanation.ts";
import type { Teller } from "../teller/teller.ts";
import type { MessageFindings } from "./message-findings.ts";

/** Flags that only a message can raise. They stand before those of its addresses and tokens. */
export function messageFlags({ matched, domain, signer }: MessageFindings, teller: Teller): MessageFlag[] {
  const flags: MessageFlag[] = [];
  const say = (flag: MessageFlag["flag"], detail: string) => flags.push({ flag, detail });
  if (matched?.forNothing === "all") say("gives_for_nothing", teller.say("message.nothing_back", { signer }).text);
  if (matched?.forNothing === "some") say("gives_for_nothing", teller.say("message.nothing_for_some", { signer }).text);
  // A rule that yields tells what the contract's author says of a message; what a signature allows is not known by that.
  if (matched === undefined || matched.rule.yields) say("unknown_message", teller.words("message.unknown_flag"));
  if (domain.chainId === null) say("no_chain", teller.words("message.no_chain_flag"));
  return flags;
}
