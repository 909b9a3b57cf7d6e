export const me = "0x1111111111111111111111111111111111111111";
export const you = "0x2222222222222222222222222222222222222222";
const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

/** A permit of USDC that a wallet is asked to sign, without a limit. */
export const permit = {
  types: {
    EIP712Domain: [
      { name: "name", type: "string" },
      { name: "version", type: "string" },
      { name: "chainId", type: "uint256" },
      { name: "verifyingContract", type: "address" },
    ],
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
    ],
  },
  primaryType: "Permit",
  domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: usdc },
  message: { owner: me, spender: you, value: String(2n ** 256n - 1n), nonce: 0, deadline: 1_900_000_000 },
};
