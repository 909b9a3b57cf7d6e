/** Where links are found in text that strangers chose, and how they are taken out of it. */

/** What begins as a link or names an account elsewhere. */
export const linkStart = /:\/\/|\bwww\.|\bt\.me\/|(?:^|[^\w])@[a-z0-9_]{3,}/i;

/** Top-level domains of lures. */
const lureDomains =
  "com|net|org|io|xyz|app|gg|me|co|site|online|top|vip|live|pro|info|click|link|network|fun|shop|club|cc|ru|cn|tech|space|world|lol|win|gifts?|events?|claims?|tools|digital|exchange|money|cash|trade|us|eu|to|is|ly|art|icu|life|today|website|store|page|dev|zip";

/** A host under one of them. `fi` and `finance` are left out: protocols carry them in the names of their tokens. */
export const lureHost = new RegExp(`[\\p{L}\\p{N}-]{2,}\\.(?:${lureDomains})(?![\\p{L}\\p{N}])`, "iu");

/** Signs that are read as a full stop. */
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
 * The text with `(link)` for what a reader's program could make a link of: a scheme, `www.`, or a host under a common domain, with all
 * that follows up to a blank. Names such as `alice.base.eth` are no hosts.
 */
export function withoutLinks(text: string): string {
  return text.replace(link, "(link)");
}
