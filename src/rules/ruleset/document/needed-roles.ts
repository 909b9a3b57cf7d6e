/** `asked`: needed by the original. `left`: left out by the copy. `known`: in the copy. */
export interface Roles {
  /** Of the original. */
  asked: ReadonlySet<string>;
  left: ReadonlySet<string>;
  known: ReadonlySet<string>;
}

/** Fields with one role or several. */
const listFields = new Set(["at", "call_at", "contract", "deployer"]);
/** A role or a path. */
const partyFields = new Set(["from", "to"]);
const notRoles = new Set(["any", "moved", "zero", "subject", "native", "emitter", "target"]);

/** Roles in `at` and similar fields, as a party, or in `contracts.<role>`. Without `roles`, every plain word at such a place counts. */
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

/** Undefined when no place remains. */
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
