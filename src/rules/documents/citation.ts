/** A source of a fact, in a form that a program can look up. A fact may have several, if possible of independent origins. */
export type Citation =
  /**
   * A file of a public repository at one commit. `key`: names that enclose the fact there or stand beside it, such as the section of the
   * chain.
   */
  | { kind: "repository"; repository: string; commit: string; path: string; key: readonly string[] }
  /** A web page, and the day on which it was read. */
  | { kind: "page"; url: string; date: string }
  /** A transaction that shows the fact. `role`: the event that the address wrote, or the function with which it was called. */
  | { kind: "transaction"; hash: string; role: string | null }
  /** A check on chain at a block: the hash of the code at the address, or of the code behind the proxy. */
  | { kind: "block"; block: number; of: "code" | "implementation"; hash: string }
  /** It cannot be looked up yet; `why` says what is known. */
  | { kind: "unverified"; why: string };

/** The forms of a source, for messages and documentation. */
export const citationForms =
  "`owner/repo@commit:path#key`, `https://… 2026-01-31`, `tx:0x…#role`, `block:N#code=0x…` or `unverified: why`";

const forms: readonly [RegExp, (...parts: string[]) => Citation][] = [
  [
    /^([A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+)@([0-9a-f]{7,40}):([^#\s](?:[^#]*[^#\s])?)(?:#(\S(?:.*\S)?))?$/,
    (repository, commit, path, key) => ({ kind: "repository", repository, commit, path, key: key?.split("/") ?? [] }),
  ],
  [/^(https:\/\/\S+) (\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))$/, (url, date) => ({ kind: "page", url, date })],
  [/^tx:(0x[0-9a-f]{64})(?:#([A-Za-z_]\w*))?$/, (hash, role) => ({ kind: "transaction", hash, role: role ?? null })],
  [
    /^block:([1-9]\d*)#(code|implementation)=(0x[0-9a-f]{64})$/,
    (block, of, hash) => ({ kind: "block", block: Number(block), of: of as "code", hash }),
  ],
  [/^unverified: (\S.*)$/, (why) => ({ kind: "unverified", why })],
] as const as readonly [RegExp, (...parts: string[]) => Citation][];

/** Reads one source; undefined when it has none of the forms. */
export function readCitation(text: string): Citation | undefined {
  for (const [form, build] of forms) {
    const [whole, ...parts] = form.exec(text) ?? [];
    if (whole !== undefined) return build(...parts);
  }
  return undefined;
}

/** A `source` of a file as a list: it may be one text or several. */
export function listSources(source: unknown): string[] {
  const list = Array.isArray(source) ? source : [source];
  return list.filter((one) => typeof one === "string");
}

/**
 * The origin of a citation, by which two citations of one owner count once: the owner of a repository, or the host of a page. Undefined for
 * the other kinds.
 */
export function originOf(citation: Citation): string | undefined {
  if (citation.kind === "repository") return citation.repository.split("/")[0]?.toLowerCase();
  return citation.kind === "page" ? new URL(citation.url).host : undefined;
}

/**
 * How well a fact is supported. `two`: by two independent origins, or by one and a check on chain. `one`: by one of these. `none`: by
 * nothing that can be checked.
 */
export function supportOf(citations: readonly Citation[]): "two" | "one" | "none" {
  const origins = new Set(citations.flatMap((one) => originOf(one) ?? []));
  const seen = citations.some(({ kind }) => kind === "transaction" || kind === "block");
  const count = origins.size + Number(seen);
  return count >= 2 ? "two" : count === 1 ? "one" : "none";
}
