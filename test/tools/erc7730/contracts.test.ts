import { describe, expect, it } from "vitest";
import { type Address, checksum, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import { type ConstantScope, readAddresses, readConstant } from "../../../src/tools/erc7730/descriptor/constant.ts";
import {
  isOfMessages,
  readContractName,
  readDeployments,
  requireContract,
} from "../../../src/tools/erc7730/descriptor/contract.ts";
import { DescriptorPart, reportUnused, UnsupportedError } from "../../../src/tools/erc7730/descriptor/part.ts";
import { bob, usdc } from "../../support/case-of.ts";
import { vault } from "./descriptor-folder.ts";

/** What is read from a descriptor, and what is reported then. */
function reading<T>(descriptor: unknown, read: (root: DescriptorPart) => T): [T | string, ...string[]] {
  const reported: string[] = [];
  const root = DescriptorPart.root(descriptor, (place, reason) => reported.push(`${place}: ${reason}`));
  const found = ((): T | string => {
    try {
      return read(root);
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      return `${error.part?.pointer ?? ""} ${error.message}`;
    }
  })();
  return [found, ...reported];
}

const at = (address: unknown, chainId: unknown = 8453) => ({ chainId, address });
const address = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;

describe("the contracts of a descriptor", () => {
  const deployed = (deployments: unknown) => reading({ context: { contract: { deployments } } }, readDeployments);
  const none = "no deployment on chain 8453: the descriptor is left out";
  const place = "/context/contract/deployments";

  it("are those on Base, each once", () => {
    expect(deployed([at(vault), at(usdc), at(vault)])).toEqual([[vault, usdc]]);
    expect(deployed([at(vault, 1), at(usdc), at(bob, "8453")])).toEqual([
      [usdc],
      `${place}: deployments on other chains`,
    ]);
    expect(deployed([at(vault, 1)])).toEqual([`${place} ${none}`]);
    expect(deployed([at(zeroAddress), at("0x12"), { chainId: 8453 }, at(usdc)])).toEqual([
      [usdc],
      `${place}/0/address: an address that is none`,
      `${place}/1/address: an address that is none`,
      `${place}/2: an address that is none`,
    ]);
    expect(deployed([])).toEqual([`${place} ${none}`]);
    expect(deployed(undefined)).toEqual([`/context/contract ${none}`]);
  });

  it("are 64 at most", () => {
    const many = Array.from({ length: 66 }, (_, i) => at(address(i + 1)));
    const [found, ...reported] = deployed(many);
    expect(found).toHaveLength(64);
    expect(reported).toEqual([
      `${place}/64/address: more than 64 deployments`,
      `${place}/65/address: more than 64 deployments`,
    ]);
  });

  it("of messages are those that check the signature", () => {
    const eip712 = { domain: { name: "V" }, schemas: [], deployments: [at(vault, 1), at(usdc)] };
    const read = (root: DescriptorPart) => {
      const found = readDeployments(root);
      reportUnused(root);
      return found;
    };
    expect(reading({ context: { eip712 } }, read)).toEqual([
      [usdc],
      "/context/eip712/deployments: deployments on other chains",
    ]);
    expect(reading({ context: { eip712: {} } }, isOfMessages)).toEqual([true]);
    expect(reading({ context: { eip712: [] } }, isOfMessages)).toEqual([false]);
  });

  it("must be there, in a version of the format that is known", () => {
    const context = { contract: {} };
    const required = (descriptor: unknown, folder = false) =>
      reading(descriptor, (root) => requireContract(root, folder))[0];
    expect(required({ context })).toBeUndefined();
    expect(required({ context: { eip712: {} } })).toBeUndefined();
    expect(required({ context: { contract: 5 } })).toBe("/context no contract");
    expect(required({ display: {} })).toBe(" no contract");
    expect(required({ display: {} }, true)).toBe(" no contract: a file that others include");
    expect(required({ display: [] }, true)).toBe(" no contract");
    const unknown = "/$schema a version of the format that is not known: the descriptor is left out";
    expect(
      ["x/erc7730-v1.schema.json", "erc7730-v2.0", "erc7730-v3", "erc7730-v12", "other"].map(($schema) =>
        required({ $schema, context }),
      ),
    ).toEqual([undefined, undefined, unknown, unknown, undefined]);
  });
});

describe("the name of a contract", () => {
  const wrong = (key: string) => `/metadata/${key}: a name that is not short, plain, printable ASCII text`;
  const long = "a".repeat(55);
  it.each<[object, string | undefined, unknown[]]>([
    [{ owner: "Acme", contractName: "Vault" }, undefined, ["Acme Vault"]],
    [{ owner: "Acme", contractName: "Acme Vault" }, "id", ["Acme Vault"]],
    [{ contractName: "Vault" }, "Some Id", ["Vault"]],
    [{ owner: "Acme" }, "Some Id", ["Some Id"]],
    [{ owner: "Acme" }, undefined, ["Acme"]],
    [{ owner: "Acme Corporation", contractName: long }, undefined, [long]],
    [{ owner: "<b>", contractName: "Vault" }, undefined, ["Vault", wrong("owner")]],
    [{}, "<b>", ["/metadata no contract name that is short, plain, printable ASCII text"]],
  ])("%j", (metadata, $id, expected) => {
    expect(reading({ context: { $id }, metadata }, readContractName)).toEqual(expected);
  });
});

describe("a constant", () => {
  const metadata = {
    constants: { a: 1, deep: { b: "x" } },
    maps: {
      chain: { values: { "8453": "base", "1": "other" } },
      contract: { values: { [checksum(usdc)]: "mine" } },
      none: {},
    },
  };
  const read = (stated: unknown, addresses: readonly Address[] = [usdc]) =>
    reading({ metadata, stated }, (root) =>
      readConstant(root.get("stated") as DescriptorPart, { root, addresses } satisfies ConstantScope),
    )[0];
  const map = (name: string, keyPath: unknown, key = "keyPath") => ({ map: `$.metadata.maps.${name}`, [key]: keyPath });

  it.each<[unknown, unknown]>([
    ["text", "text"],
    [0, 0],
    [false, false],
    ["$.metadata.constants.a", 1],
    ["$.metadata.constants.deep.b", "x"],
    ["$.metadata.constants.c", "/stated a path to a constant that is not there"],
    ["$.metadata.constants", "/stated a constant that is no plain value"],
    [null, "/stated a constant that is no plain value"],
    [[1], "/stated a constant that is no plain value"],
    [map("chain", "@.chainId"), "base"],
    [map("chain", "@.chainId", "key"), "base"],
    [map("contract", "@.to"), "mine"],
    [map("gone", "@.to"), "/stated a map that is not there"],
    [map("none", "@.to"), "/stated a map that is not there"],
    [map("chain", "@.to"), "/stated a map without a value for it"],
    [map("contract", "@.chainId"), "/stated a map without a value for Base"],
    [map("chain", "@.from"), "/stated a map by something else than the chain or the only deployment"],
    [{ map: 5 }, "/stated a map that is not there"],
  ])("%j is %j", (stated, expected) => {
    expect(read(stated)).toBe(expected);
  });

  it("of a map by contract needs the only one", () => {
    const two = [usdc, toAddress(vault)];
    expect(read(map("contract", "@.to"), two)).toBe(
      "/stated a map by something else than the chain or the only deployment",
    );
  });

  it("is an address in the spelling of its checksum, or of one case", () => {
    const spelled = (stated: unknown) =>
      reading({ stated }, (root) => readAddresses(root.get("stated") as DescriptorPart, { root, addresses: [] }))[0];
    const upper = `0x${usdc.slice(2).toUpperCase()}`;
    expect(spelled([usdc, upper, checksum(usdc)])).toEqual([usdc, usdc, usdc]);
    expect(spelled(checksum(usdc))).toEqual([usdc]);
    expect(spelled([usdc, checksum(usdc).replace("f", "F")])).toBe("/stated/1 an address with a wrong checksum");
    expect(spelled("0x12")).toBe("/stated a constant that is no address");
  });
});
