import { oneEther } from "../../kernel/amount.ts";

/** Where the engine draws a line between amounts: all of these lines, in one place. Worths are wei. */

/** A few cents: less is no price. */
export const trifle = oneEther / 100_000n;
/** Of a listed token whose worth is not known, up to 1/1,000,000 of one token is a trifle. */
export const smallPart = 1_000_000n;
/** Below 1/1000 of a trifle it is no price even for a small trade. */
export const speckParts = 1_000n;
/** Somebody who gave nothing may have up to 1/5 of what was given, or bought, as a fee. */
export const feeShare = 5n;
/** What a known contract paid somebody else is a fee where the account got this many times as much. */
export const feeParts = 99n;
/**
 * What a service may cost. `least`: a fee beside anything, a few dollars. `most`: what anybody's verifier may charge, and a fee beside money
 * of unknown worth. `stated`: any fee, and one of which a rule says so beside money of unknown worth.
 */
export const serviceFees = { least: oneEther / 500n, most: oneEther / 100n, stated: oneEther / 10n };
/** A fair price may be this many times less than what was given: markets are thin, and ether's price is not always known. */
export const priceSlack = 10n;
/** How many times worse than others' price: markets differ, and routes pass an asset on. */
export const shareSlack = 20n;
/** A sentence states a loss where its amount is within these per cents of it: token fees, rounding. */
export const nearPercent = { least: 98n, most: 102n };
