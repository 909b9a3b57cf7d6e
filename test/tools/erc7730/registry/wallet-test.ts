import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Typed } from "../../../rules/typed-data/sample.ts";

type Fields = readonly { label: string; value: string | { fields: Fields } }[];

/** One test of the registry (`testsv2`): what is signed, and the fields that a wallet must show for it. */
export interface WalletTest {
  name: string;
  /** Path of the descriptor from the registry's root. */
  descriptor: string;
  rawTx?: `0x${string}`;
  from?: string;
  data?: Typed;
  values: readonly { label: string; value: string }[];
  tokens: ReadonlyMap<string, { symbol: string; name?: string; decimals: number }>;
  /** Names that the wallet has for addresses, and those of ENS. */
  names: ReadonlyMap<string, string>;
  ens: ReadonlySet<string>;
}

interface TestFile {
  dataProvider?: {
    tokens?: Record<string, { symbol: string; name?: string; decimals: number }>;
    addressNames?: Record<string, string>;
    nftCollectionNames?: Record<string, string>;
    ensNames?: Record<string, string>;
  };
  tests: {
    description: string;
    rawTx?: `0x${string}`;
    from?: string;
    data?: Typed;
    expected: { fields: Fields };
  }[];
}

/** The tests that lie under `registry/<owner>/testsv2`, in order. */
export function readWalletTests(registry: string): WalletTest[] {
  const paths = readdirSync(join(registry, "registry"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\/testsv2$/.test(entry.parentPath) && entry.name.endsWith(".tests.json"))
    .map(({ parentPath, name }) => join(parentPath, name));
  return paths.sort().flatMap((path) => {
    const { dataProvider = {}, tests } = JSON.parse(readFileSync(path, "utf8")) as TestFile;
    const lower = <T>(map: Record<string, T> = {}) =>
      Object.entries(map).map(([key, one]) => [key.toLowerCase(), one] as const);
    const owner = relative(registry, dirname(dirname(path)));
    return tests.map(({ description, expected, ...signed }) => ({
      ...signed,
      name: `${basename(path)}: ${description}`,
      descriptor: join(owner, basename(path).replace(".tests.json", ".json")),
      values: flat(expected.fields),
      tokens: new Map(lower(dataProvider.tokens)),
      names: new Map([...lower(dataProvider.addressNames), ...lower(dataProvider.nftCollectionNames)]),
      ens: new Set(Object.values(dataProvider.ensNames ?? {})),
    }));
  });
}

function flat(fields: Fields): { label: string; value: string }[] {
  return fields.flatMap(({ label, value }) => (typeof value === "string" ? [{ label, value }] : flat(value.fields)));
}
