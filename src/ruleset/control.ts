/**
 * Kinds of control over an account or contract, the most dangerous first: who decides what its code does, who may act without its
 * owners, who owns it, who may act for it in part, how many must agree, who may forbid, who answers for it; and what was taken away.
 */
export const controlKinds = [
  "code",
  "module",
  "owner",
  "operator",
  "threshold",
  "guard",
  "handler",
  "removed",
] as const;

export type ControlKind = (typeof controlKinds)[number];

/** Position of a kind: lower is told first. What changes no control goes after all that does. */
export function controlRank(kind: ControlKind | null): number {
  return kind === null ? controlKinds.length : controlKinds.indexOf(kind);
}
