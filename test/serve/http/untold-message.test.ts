import { afterAll, expect, it } from "vitest";
import { compileSchema } from "../../support/schema.ts";
import { openWebServer } from "../../support/web-server.ts";

const app = openWebServer({ web: false });
afterAll(() => app.close());

const isMessage = compileSchema("message");
const me = "0x1111111111111111111111111111111111111111";
const nobody = `0x${"0".repeat(40)}`;
const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const members = ["owner address", "spender address", "value uint256", "nonce uint256", "deadline uint256"];

it.each([
  ["5", "set an allowance"],
  ["0", "revoke an approval"],
])(
  "a permit of %s for nobody is told in the words of its action, because its sentence has no spender",
  async (value, act) => {
    const typed_data = {
      types: { Permit: members.map((one) => ({ name: one.split(" ")[0], type: one.split(" ")[1] })) },
      ...{ primaryType: "Permit", domain: { chainId: 8453, verifyingContract: usdc } },
      message: { owner: me, spender: nobody, value, nonce: 0, deadline: 1_900_000_000 },
    };
    const payload = JSON.stringify({ from: me, typed_data });
    const headers = { "content-type": "application/json" };
    const answer = (await app.inject({ method: "POST", url: "/preview", headers, payload })).json();
    expect(answer.summary).toBe(`0x1111…1111 is asked to ${act}.`);
    expect(isMessage(answer), JSON.stringify(isMessage.errors)).toBe(true);
  },
);
