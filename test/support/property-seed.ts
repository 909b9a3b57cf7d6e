import fc from "fast-check";

/**
 * Property tests use the same cases in every run, so a failure comes from the change and not from chance. PROPERTY_SEED=random looks for
 * new cases.
 */
const given = process.env.PROPERTY_SEED ?? "8453";
if (given !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
