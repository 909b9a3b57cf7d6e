/** Facts that the rules hold about one protocol or standard, for people. */
export interface ProtocolFacts {
  id: string;
  /** null for a standard: its rules name no protocol. */
  name: string | null;
  /** The folder of its file, such as `dex`. */
  family: string;
  site: string | null;
  contracts: { role: string; label: string; address: string; source: readonly string[] }[];
  /** Roles whose contracts are proven anew in each transaction, with the kind of proof. */
  members: { role: string; proof: "registry" | "creation" | "address" }[];
  rules: { id: string; action: string; says: string; anchor: string }[];
}
