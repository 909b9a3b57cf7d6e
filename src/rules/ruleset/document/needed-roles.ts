/**
 * The roles of a copy: `asked` are roles that the original needs, `left` those that the copy leaves out, `known` those that the copy has.
 */
export interface Roles {
  /** Roles of the original. */
  asked: ReadonlySet<string>;
  left: ReadonlySet<string>;
  known: ReadonlySet<string>;
}

/** Fields that hold one role or several. */
const listFields = new Set(["at", "call_at", "contract", "deployer"]);
/** Fields that hold a role or a path. */
const partyFields = new Set(["from", "to"]);
/** Words at these places that are no role. */
const notRoles = new Set(["any", "moved", "zero", "subject", "native", "emitter", "target"]);

/**
 * Every role that an entry names in `at` and similar fields, as a party, or by the path `contracts.<role>`. With `roles`, only roles of the
 * original count; without, every plain word at such a place does.
 */
export function rolesOf(entry: unknown, roles: Pick<Roles, "asked"> | undefined): string[] {
  const found = new Set<string>();
  const take = (name: unknown): void => {
    if (typeof name !== "string" || notRoles.has(name)) return;
    if (roles === undefined ? /^[a-z][a-z0-9_]*$/.test(name) : roles.asked.has(name)) found.add(name);
  };
  const visit = (node: unknown, field: string): void => {
    if (typeof node === "string") {
      if (listFields.has(field) || partyFields.has(field)) take(node);
      const path = /^contracts\.([a-z][a-z0-9_]*)$/.exec(node);
      if (path !== null) take(path[1]);
    } else if (Array.isArray(node)) for (const item of node) visit(item, field);
    else if (node !== null && typeof node === "object")
      for (const [key, value] of Object.entries(node)) if (key !== "example") visit(value, key);
  };
  visit(entry, "");
  return [...found];
}

/** The entry without the roles that are left out; undefined when no place is left for it. */
export function trimRole<T>(entry: T, { left }: Pick<Roles, "left">): T | undefined {
  if (entry === null || typeof entry !== "object" || left.size === 0) return entry;
  const trimmed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entry)) {
    const kept = key === "example" ? value : trimField(key, value, left);
    if (kept === undefined) return undefined;
    trimmed[key] = kept;
  }
  return trimmed as T;
}

function trimField(key: string, value: unknown, left: ReadonlySet<string>): unknown {
  if (listFields.has(key) || partyFields.has(key)) {
    if (typeof value === "string") return left.has(value) ? undefined : value;
    if (Array.isArray(value)) {
      const names = value.filter((name) => !left.has(name));
      return names.length === 0 ? undefined : names;
    }
  }
  return Array.isArray(value) ? value : trimRole(value, { left });
}
