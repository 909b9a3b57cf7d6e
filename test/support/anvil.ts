import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  parseAbi,
  parseEther,
  publicActions,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { root } from "./shared.ts";

/** USDC of Base: the test token stands at its address, so that the real signing domain and defaults are used. */
export const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const usdcAbi = parseAbi([
  "function mint(address to, uint256 value)",
  "function balanceOf(address owner) view returns (uint256)",
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/** A real EVM node with chain id 8453 and the token on it. */
export type TestChain = Awaited<ReturnType<typeof startChain>>;

/** The program of the node: from the optional package, or from the PATH. Undefined where neither has it. */
export function findAnvil(): string | undefined {
  const shipped = join(root, "node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil");
  const places = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "anvil"));
  return [shipped, ...places].find((path) => existsSync(path));
}

/** `genesis`: the time of the first block, in Unix seconds; now unless given. */
export async function startChain(options: { port?: number; state?: string; genesis?: number } = {}) {
  const port = options.port ?? (await freePort());
  const state = options.state === undefined ? [] : ["--state", options.state];
  const genesis = options.genesis === undefined ? [] : ["--timestamp", String(options.genesis)];
  const args = ["--chain-id", "8453", "--port", String(port), "--accounts", "1", "--silent", ...state, ...genesis];
  // Output is not piped. Otherwise an orphan of the node could hold the pipe open, and its parent would wait for ever.
  const child = spawn(findAnvil() as string, args, { stdio: "ignore" });
  process.once("exit", () => child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  const transport = http(url, { retryCount: 0 });
  const reader = createPublicClient({ chain: base, transport, pollingInterval: 20 });
  await untilAnswering(() => reader.getChainId());
  const control = createTestClient({ chain: base, mode: "anvil", transport }).extend(publicActions);
  const rich = privateKeyToAccount(generatePrivateKey());
  const wallet = createWalletClient({ account: rich, chain: base, transport, pollingInterval: 20 });
  if (options.state === undefined || !existsSync(options.state)) await plant();
  await control.setBalance({ address: rich.address, value: parseEther("100") });

  async function plant(): Promise<void> {
    const { runtime } = JSON.parse(readFileSync(new URL("token/test-usdc.json", import.meta.url), "utf8"));
    await control.setCode({ address: usdc, bytecode: runtime });
  }

  async function write(functionName: "mint", args: readonly [Address, bigint]): Promise<void> {
    const hash = await wallet.writeContract({ address: usdc, abi: usdcAbi, functionName, args });
    // The node may announce a block before its receipts exist. Without this wait, a client that waits for the next block would wait for
    // ever.
    await untilAnswering(() => reader.getTransactionReceipt({ hash }));
  }

  return {
    url,
    port,
    reader,
    control,
    wallet,
    /** A new account with this many base units of USDC. */
    async createPayer(units: bigint): Promise<PrivateKeyAccount> {
      const account = privateKeyToAccount(generatePrivateKey());
      await write("mint", [account.address, units]);
      return account;
    },
    /** Gives somebody so many base units of USDC more. */
    mint: (address: Address, units: bigint) => write("mint", [address, units]),
    /** The key of a new wallet with gas. */
    async createGasKey(): Promise<Hex> {
      const key = generatePrivateKey();
      await control.setBalance({ address: privateKeyToAccount(key).address, value: parseEther("10") });
      return key;
    },
    balance: (address: Address) =>
      reader.readContract({ address: usdc, abi: usdcAbi, functionName: "balanceOf", args: [address] }),
    isUsed: (address: Address, nonce: Hex) =>
      reader.readContract({ address: usdc, abi: usdcAbi, functionName: "authorizationState", args: [address, nonce] }),
    /** Lets so many seconds of the chain pass, with a block every so many milliseconds: five blocks of 200 ms have the same time. */
    async pass(seconds: number, blockMs: number): Promise<void> {
      const { timestamp: begin } = await reader.getBlock();
      const step = BigInt(Math.max(1, blockMs / 1000));
      const blocks = Math.max(1, 1000 / blockMs);
      // The clock of the node goes on meanwhile, so a second may be over before its blocks are made.
      for (let now = begin; now < begin + BigInt(seconds); now = (await reader.getBlock()).timestamp) {
        await control.setNextBlockTimestamp({ timestamp: now + step });
        await control.mine({ blocks, interval: 0 });
      }
    },
    /** How many transactions the wallet of this key has sent. */
    countSent: (key: Hex) => reader.getTransactionCount({ address: privateKeyToAccount(key).address }),
    stop: () =>
      new Promise<void>((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Asks a process that is starting until it answers. */
export async function untilAnswering(ask: () => Promise<unknown>, tries = 400): Promise<void> {
  for (let left = tries; ; left--) {
    try {
      await ask();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
