/**
 * Kinds of control over an account or contract, the most dangerous first. `code`: who decides what its code does. `module`: who may act
 * without its owners. `owner`: who owns it. `operator`: who may act for it in part. `threshold`: how many must agree. `guard`: who may
 * forbid. `handler`: who answers for it. `terms`: what a token lets its holders do, or stands for; nobody gets control. `removed`: control
 * that was taken away.
 */
export const controlKinds = [
  "code",
  "module",
  "owner",
  "operator",
  "threshold",
  "guard",
  "handler",
  "terms",
  "removed",
] as const;

export type ControlKind = (typeof controlKinds)[number];

/** Position of a kind; lower is told first. An act that changes no control (null) goes last. */
export function controlRank(kind: ControlKind | null): number {
  return kind === null ? controlKinds.length : controlKinds.indexOf(kind);
}
