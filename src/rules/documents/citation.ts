/** A source that a program can look up. A fact may have several, best of independent origins. */
export type Citation =
  /** `key`: names that enclose the fact or stand beside it, such as a section. */
  | { kind: "repository"; repository: string; commit: string; path: string; key: readonly string[] }
  /** `date`: read on. */
  | { kind: "page"; url: string; date: string }
  /** `role`: the event that the address wrote, or the function that was called. */
  | { kind: "transaction"; hash: string; role: string | null }
  /** The hash of the code at the address, or behind the proxy. */
  | { kind: "block"; block: number; of: "code" | "implementation"; hash: string }
  | { kind: "unverified"; why: string };

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

/** Undefined for other text. */
export function readCitation(text: string): Citation | undefined {
  for (const [form, build] of forms) {
    const [whole, ...parts] = form.exec(text) ?? [];
    if (whole !== undefined) return build(...parts);
  }
  return undefined;
}

export function listSources(source: unknown): string[] {
  const list = Array.isArray(source) ? source : [source];
  return list.filter((one) => typeof one === "string");
}

/** Two citations of one origin count once: the owner of a repository, or the host of a page. */
export function originOf(citation: Citation): string | undefined {
  if (citation.kind === "repository") return citation.repository.split("/")[0]?.toLowerCase();
  return citation.kind === "page" ? new URL(citation.url).host : undefined;
}

/** `two`: two independent origins, or one and a check on chain. `one`: one of these. `none`: nothing that can be checked. */
export function supportOf(citations: readonly Citation[]): "two" | "one" | "none" {
  const origins = new Set(citations.flatMap((one) => originOf(one) ?? []));
  const seen = citations.some(({ kind }) => kind === "transaction" || kind === "block");
  const count = origins.size + Number(seen);
  return count >= 2 ? "two" : count === 1 ? "one" : "none";
}
