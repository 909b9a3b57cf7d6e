/**
 * The most dangerous first. `code`: what its code does. `module`: may act without the owners. `owner`: owns it. `operator`: may act for it
 * in part. `threshold`: how many must agree. `guard`: may forbid. `handler`: answers for it. `terms`: what a token lets holders do; nobody
 * gets control. `removed`: taken away.
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

/** Lower goes first; null last. */
export function controlRank(kind: ControlKind | null): number {
  return kind === null ? controlKinds.length : controlKinds.indexOf(kind);
}
