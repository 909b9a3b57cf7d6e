export interface ProtocolFacts {
  id: string;
  /** null for a standard. */
  name: string | null;
  /** Folder of its file, such as `dex`. */
  family: string;
  site: string | null;
  contracts: { role: string; label: string; address: string; source: readonly string[] }[];
  /** Contracts are proven anew in each transaction; the kind of proof. */
  members: { role: string; proof: "registry" | "creation" | "address" }[];
  rules: { id: string; action: string; says: string; anchor: string }[];
}
