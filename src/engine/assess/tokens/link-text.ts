/** Finds and removes links in text of strangers. */

/** Also a name on another service (`@name`). */
export const linkStart = /:\/\/|\bwww\.|\bt\.me\/|(?:^|[^\w])@[a-z0-9_]{3,}/i;

/** Used by fraudulent links. */
const lureDomains =
  "com|net|org|io|xyz|app|gg|me|co|site|online|top|vip|live|pro|info|click|link|network|fun|shop|club|cc|ru|cn|tech|space|world|lol|win|gifts?|events?|claims?|tools|digital|exchange|money|cash|trade|us|eu|to|is|ly|art|icu|life|today|website|store|page|dev|zip";

/** Without `fi` and `finance`: names of genuine tokens contain them. */
export const lureHost = new RegExp(`[\\p{L}\\p{N}-]{2,}\\.(?:${lureDomains})(?![\\p{L}\\p{N}])`, "iu");

/** Read as a full stop by programs. */
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
 * `(link)` in place of a scheme, `www.` or a host under a common domain, up to the next blank. Names such as `alice.base.eth` are no hosts.
 */
export function withoutLinks(text: string): string {
  return text.replace(link, "(link)");
}
