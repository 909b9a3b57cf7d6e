import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importDescriptors } from "../../../src/tools/erc7730/import.ts";
import { formatReport } from "../../../src/tools/erc7730/report.ts";
import { DigestRecord, type Digests, digestOf, type Told } from "../../golden/digest-record.ts";
import { root } from "../../support/shared.ts";
import { noRules, vault, writeFolder } from "./descriptor-folder.ts";

export const disturbedDescriptorsRecord = new DigestRecord(join(root, "test/tools/erc7730/disturbed-descriptors.tsv"));

const other = "0x2222222222222222222222222222222222222222";
const field = (path: string, label: string, format: string, params?: object) => {
  return { path, label, format, ...(params !== undefined && { params }) };
};

/** Our own descriptors, which use everything that the format offers for calls and for messages. */
const descriptors: Readonly<Record<string, object>> = {
  calls: {
    $schema: "../../specs/erc7730-v2.schema.json",
    context: {
      $id: "Vault",
      contract: {
        deployments: [
          { chainId: 1, address: other },
          { chainId: 8453, address: vault },
        ],
      },
    },
    metadata: {
      owner: "Acme",
      contractName: "Vault",
      info: { url: "https://acme.example", deploymentDate: "2024-01-01T00:00:00Z" },
      token: { name: "Acme", ticker: "ACM", decimals: 6 },
      constants: { limit: "0xffff", gate: other, unit: "pt", fee: 3 },
      enums: { side: { "0": "buy", "1": "sell" } },
      maps: { asset: { keyType: "chainId", values: { "8453": other, "1": vault } } },
    },
    display: {
      definitions: {
        sum: { label: "Sum", format: "tokenAmount", params: { tokenPath: "token" } },
        who: { label: "Who", format: "addressName", params: { types: ["eoa"], sources: ["local"] } },
      },
      formats: {
        "order((address token,uint256 amount,address[] hops,bytes route) order,uint64 until,uint8 side)": {
          $id: "order",
          intent: "Place an Order",
          fields: [
            {
              path: "order",
              fields: [
                field("amount", "Amount", "tokenAmount", {
                  tokenPath: "order.token",
                  threshold: "$.metadata.constants.limit",
                  message: "All",
                }),
                field("hops.[-1]", "Last hop", "addressName"),
                field("hops.[]", "Hop", "addressName"),
                field("route.[-20:]", "End", "addressName"),
              ],
            },
            field("until", "Until", "date", { encoding: "timestamp" }),
            field("side", "Side", "enum", { $ref: "$.metadata.enums.side" }),
          ],
          required: ["order.amount"],
          excluded: ["order.hops.[]"],
        },
        "deposit(address token,uint256 amount,address to,uint32 wait)": {
          intent: { Deposit: "now" },
          fields: [
            { path: "amount", $ref: "$.display.definitions.sum" },
            { path: "to", $ref: "$.display.definitions.who" },
            field("wait", "Wait", "duration"),
          ],
        },
        "pay(bytes32 to,uint256 points,bool keep)": {
          intent: "Pay",
          interpolatedIntent: "Pay {@.value} and {points} to {to}",
          fields: [
            field("@.value", "Value", "amount"),
            field("to", "To", "addressName"),
            field("points", "Points", "unit", { base: "$.metadata.constants.unit", decimals: 2, prefix: true }),
            { ...field("keep", "Keep", "raw"), visible: "optional" },
            { ...field("@.from", "From", "addressName"), visible: "never" },
          ],
        },
        "run(address target,uint256 value,bytes data,uint256 chain)": {
          intent: "Run",
          fields: [
            field("data", "Call", "calldata", { calleePath: "target", amountPath: "value", spenderPath: "@.from" }),
            field("chain", "Chain", "chainId"),
            { value: "$.metadata.constants.gate", label: "Gate", format: "addressName" },
            { value: "fixed", label: "Kind", format: "raw" },
          ],
        },
        "give(address collection,uint256 id,uint256 amount)": {
          intent: "Give",
          fields: [
            field("id", "Item", "nftName", { collectionPath: "collection" }),
            field("amount", "Amount", "tokenAmount", { token: { map: "$.metadata.maps.asset", keyPath: "@.chainId" } }),
            { path: "collection", label: "Of", format: "tokenTicker", visible: { mustMatch: [vault, other] } },
          ],
        },
      },
    },
  },
  messages: {
    context: {
      eip712: { domain: { name: "Vault", chainId: 8453 }, deployments: [{ chainId: 8453, address: vault }] },
    },
    metadata: { owner: "Acme", contractName: "Vault" },
    display: {
      formats: {
        "Lend(address token,uint256 amount,uint64 until,Part[] parts)Part(address to,uint256 share)": {
          intent: "Lend tokens",
          fields: [
            field("until", "Until", "date", { encoding: "timestamp" }),
            field("amount", "Amount", "tokenAmount", { tokenPath: "token", nativeCurrencyAddress: [other] }),
            field("parts.[].to", "For", "addressName"),
            field("@.to", "Checked by", "addressName"),
          ],
        },
        "Move(address to,uint256 value,bytes data)": {
          intent: "Move",
          fields: [
            field("to", "To", "addressName"),
            field("value", "Value", "amount"),
            field("data", "Call", "calldata", { calleePath: "to", amountPath: "value", spenderPath: "@.to" }),
          ],
        },
      },
    },
  },
};

/** What may stand in place of a part. */
const parts: Readonly<Record<string, (value: unknown) => unknown>> = {
  "is left out": () => undefined,
  "is a number": () => 7,
  "is a text": () => "text",
  "is empty": (value) => (typeof value === "object" ? (Array.isArray(value) ? [] : {}) : ""),
  "stands twice": (value) => (Array.isArray(value) ? [...value, ...value] : [value, value]),
  "has a letter more": (value) => (typeof value === "string" ? `${value}x` : { ...(value as object), more: value }),
  "is an address": () => other,
  "is a path": () => "@.to",
};
const kinds = Object.entries(parts);

type Path = readonly (string | number)[];

/** The result of importing each descriptor with one part changed: rule files and report, as a digest. */
export function importDisturbed(): Digests {
  const dir = writeFolder({});
  try {
    return new Map(Object.entries(descriptors).map(([name, descriptor]) => [name, disturbedOf(descriptor, dir)]));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function disturbedOf(descriptor: object, dir: string): Told[] {
  const file = join(dir, "descriptor.json");
  return pathsOf(descriptor, []).flatMap((path, i) =>
    [kinds[i % kinds.length], kinds[(i + 3) % kinds.length]].map((kind) => {
      const [what, change] = kind as (typeof kinds)[number];
      writeFileSync(file, JSON.stringify(changed(descriptor, path, change)));
      const { files, findings } = importDescriptors(file, noRules);
      return {
        name: `/${path.join("/")} ${what}`,
        digest: digestOf([files, formatReport(findings, { files: files.length, rules: 0 })]),
      };
    }),
  );
}

/** The way to each part, the whole left out. */
function pathsOf(value: unknown, path: Path): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inner = keys.flatMap((key) => pathsOf((value as Record<string | number, unknown>)[key], [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function changed(value: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[key] = changed(copy[key], rest, change);
  return copy;
}
