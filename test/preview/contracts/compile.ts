// Compiles world.sol into contracts.json: `node test/preview/contracts/compile.ts`. The bytecode is committed, so that tests need no compiler.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { evm: { bytecode: Code; deployedBytecode: Code } }>>;
}
interface Code {
  object: string;
}

const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
const content = readFileSync(new URL("world.sol", import.meta.url), "utf8");
const settings = {
  viaIR: true,
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] } },
};
const input = { language: "Solidity", sources: { "world.sol": { content } }, settings };
const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
for (const { severity, formattedMessage } of errors) if (severity === "error") throw new Error(formattedMessage);
const made = Object.entries(contracts["world.sol"] ?? {}).flatMap(([name, { evm }]) =>
  evm.bytecode.object === ""
    ? []
    : [[name, { creation: `0x${evm.bytecode.object}`, runtime: `0x${evm.deployedBytecode.object}` }]],
);
writeFileSync(new URL("contracts.json", import.meta.url), `${JSON.stringify(Object.fromEntries(made), null, 2)}\n`);
