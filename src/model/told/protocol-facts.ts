/** What the rules know of one protocol or standard, for people. */
export interface ProtocolFacts {
  id: string;
  /** null: a standard, whose rules name no protocol. */
  name: string | null;
  /** The folder of its file, such as `dex`. */
  family: string;
  site: string | null;
  contracts: { role: string; label: string; address: string; source: readonly string[] }[];
  /** Roles whose contracts are proven anew in each transaction, and how. */
  members: { role: string; proof: "registry" | "creation" | "address" }[];
  rules: { id: string; action: string; says: string; anchor: string }[];
}
