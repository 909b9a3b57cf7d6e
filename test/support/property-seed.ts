import fc from "fast-check";

/** Properties draw the same cases in every run, so that a run says something about the change alone. PROPERTY_SEED=random searches. */
const given = process.env.PROPERTY_SEED ?? "8453";
if (given !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
