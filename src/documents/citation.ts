/** Where a fact is from, so that a program can look it up. Several make a list, of independent origins at best. */
export type Citation =
  /** A file of a public repository at one commit. `key`: what must stand around the fact there, such as the chain's section. */
  | { kind: "repository"; repository: string; commit: string; path: string; key: readonly string[] }
  /** A page, and the day on which it was read. */
  | { kind: "page"; url: string; date: string }
  /** A transaction that shows it. `role`: the event that the address wrote, or the function that it was called with. */
  | { kind: "transaction"; hash: string; role: string | null }
  /** What a check on chain saw at a block: the hash of the code at the address, or of the code behind it. */
  | { kind: "block"; block: number; of: "code" | "implementation"; hash: string }
  /** Nobody can look it up yet; `why` says what is known. */
  | { kind: "unverified"; why: string };

/** The forms of a source, as messages and the documentation list them. */
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

/** A `source` as files write it: one, or a list. */
export function listSources(source: unknown): string[] {
  const list = Array.isArray(source) ? source : [source];
  return list.filter((one) => typeof one === "string");
}

/** Who stands behind a citation, so that two of one owner count once; undefined where nobody outside does. */
export function originOf(citation: Citation): string | undefined {
  if (citation.kind === "repository") return citation.repository.split("/")[0]?.toLowerCase();
  return citation.kind === "page" ? new URL(citation.url).host : undefined;
}

/** Whether a fact rests on two independent origins, on one and a check on chain, on less, or on nothing that can be checked. */
export function supportOf(citations: readonly Citation[]): "two" | "one" | "none" {
  const origins = new Set(citations.flatMap((one) => originOf(one) ?? []));
  const seen = citations.some(({ kind }) => kind === "transaction" || kind === "block");
  const count = origins.size + Number(seen);
  return count >= 2 ? "two" : count === 1 ? "one" : "none";
}
