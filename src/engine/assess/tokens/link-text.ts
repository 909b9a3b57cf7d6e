/** Finds links in text that strangers chose, and removes them. */

/** The start of a link, or of a name on another service (`@name`). */
export const linkStart = /:\/\/|\bwww\.|\bt\.me\/|(?:^|[^\w])@[a-z0-9_]{3,}/i;

/** Top-level domains that fraudulent links use. */
const lureDomains =
  "com|net|org|io|xyz|app|gg|me|co|site|online|top|vip|live|pro|info|click|link|network|fun|shop|club|cc|ru|cn|tech|space|world|lol|win|gifts?|events?|claims?|tools|digital|exchange|money|cash|trade|us|eu|to|is|ly|art|icu|life|today|website|store|page|dev|zip";

/** A host under one of these domains. `fi` and `finance` are left out, because names of genuine tokens contain them. */
export const lureHost = new RegExp(`[\\p{L}\\p{N}-]{2,}\\.(?:${lureDomains})(?![\\p{L}\\p{N}])`, "iu");

/** Signs of other scripts that programs read as a full stop. */
export const dots = /[。｡．․]/gu;

const dot = "[.。｡．․]";
const link = new RegExp(
  [
    "\\p{L}[\\p{L}\\p{N}+-]*:\\/\\/\\S*",
    `(?<![\\p{L}\\p{N}])www${dot}\\S*`,
    `(?:[\\p{L}\\p{N}_-]+${dot})+(?:${lureDomains}|fi|finance|ai|limo)(?![\\p{L}\\p{N}])(?:[/:?#]\\S*)?`,
  ].join("|"),
  "giu",
);

/**
 * The text with `(link)` in place of what a reader's program may turn into a link: a scheme, `www.`, or a host under a common domain, each
 * up to the next blank. Names such as `alice.base.eth` are no hosts.
 */
export function withoutLinks(text: string): string {
  return text.replace(link, "(link)");
}
