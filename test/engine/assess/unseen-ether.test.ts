import { describe, expect, it } from "vitest";
import type { Checks } from "../../../src/model/explanation.ts";
import type { VerificationLookup } from "../../../src/model/risk-lookups.ts";
import { explainCase } from "../../property/world.ts";
import {
  alice,
  answers,
  caseOf,
  code,
  drainers,
  everyone,
  router,
  type Scene,
  someone,
  transfer,
  transferCall,
  usdc,
  weth,
} from "./scene.ts";

const seen = (parts: Partial<VerificationLookup> = {}) => answers({ verification: { [router]: code(parts) } });
const note = "Without a call tree it was not seen whether 1 contract passed ether on";

/** The checks of a scene for which neither a call tree nor a list of ether movements is known. */
function checksWithoutTree(scene: Scene): Checks {
  return explainCase({ ...caseOf(scene), trace: { source: "none", reason: "not asked" } }).explanation.checks;
}

function statusesOf({ contract_verification, first_interaction, drainer_blacklist }: Checks): string[] {
  return [contract_verification, first_interaction, drainer_blacklist];
}

describe("checks that follow money claim nothing about unseen ether", () => {
  it("where a stranger's contract was paid", () => {
    const checks = checksWithoutTree({ value: 5n, risk: seen() });
    expect(statusesOf(checks)).toEqual(["partial", "partial", "partial"]);
    expect(checks.note).toContain(note);
  });

  it("where it unwrapped what it was given", () => {
    const withdrawal = {
      address: weth,
      topics: [
        "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65",
        `0x${router.slice(2).padStart(64, "0")}`,
      ],
      data: `0x${"5".padStart(64, "0")}`,
    } as const;
    const logs = [transfer(weth, alice, router, 5n), { ...withdrawal, topics: [...withdrawal.topics] }];
    expect(checksWithoutTree({ logs, risk: seen() }).note).toContain(note);
  });

  it("where a stranger's code stands behind the account", () => {
    const authorizations = [{ chainId: "0x2105", address: someone("delegate"), nonce: "0x1" }];
    const verification = { [someone("delegate")]: code() };
    const checks = checksWithoutTree({ to: alice, authorizations, risk: answers({ verification }) });
    expect(checks.drainer_blacklist).toBe("partial");
    expect(checks.note).toContain(note);
  });
});

describe("checks claim as much as before", () => {
  it.each<[string, Scene]>([
    ["where nothing was given", { risk: seen() }],
    ["where the payee has no code", { value: 5n, risk: seen({ code: "none" }) }],
    ["where a known contract was paid", { to: weth, value: 5n, input: "0xd0e30db0", risk: answers({}) }],
    [
      "where a token was sent",
      {
        to: usdc,
        input: transferCall(someone("bob"), 5n),
        logs: [transfer(usdc, alice, someone("bob"), 5n)],
        risk: answers({
          verification: { [someone("bob")]: code({ code: "none" }) },
          drainers: drainers([], { asked: [...everyone, usdc] }),
        }),
      },
    ],
  ])("%s", (_, scene) => {
    const checks = checksWithoutTree(scene);
    expect(["ok", "not_applicable"]).toContain(checks.drainer_blacklist);
    expect(checks.note ?? "").not.toContain("ether");
  });

  it("where the tree shows that the ether stayed", () => {
    const { checks } = explainCase(caseOf({ value: 5n, frames: [], risk: seen() })).explanation;
    expect(checks.drainer_blacklist).toBe("ok");
  });
});
