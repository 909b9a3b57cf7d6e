// Compiles world.sol into contracts.json, and balances.sol into balances.json: `node test/gather/preview/contracts/compile.ts`. The bytecode is committed, so that tests need no compiler.
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
const settings = {
  viaIR: true,
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] } },
};

for (const [source, made] of [
  ["world.sol", "contracts.json"],
  ["balances.sol", "balances.json"],
] as const) {
  const content = readFileSync(new URL(source, import.meta.url), "utf8");
  const input = { language: "Solidity", sources: { [source]: { content } }, settings };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  for (const { severity, formattedMessage } of errors) if (severity === "error") throw new Error(formattedMessage);
  const codes = Object.entries(contracts[source] ?? {}).flatMap(([name, { evm }]) =>
    evm.bytecode.object === ""
      ? []
      : [[name, { creation: `0x${evm.bytecode.object}`, runtime: `0x${evm.deployedBytecode.object}` }]],
  );
  writeFileSync(new URL(made, import.meta.url), `${JSON.stringify(Object.fromEntries(codes), null, 2)}\n`);
}
