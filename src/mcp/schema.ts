import explanationSchema from "../../schemas/explanation.schema.json" with { type: "json" };
import passSchema from "../../schemas/pass.schema.json" with { type: "json" };
import paymentRequiredSchema from "../../schemas/payment-required.schema.json" with { type: "json" };
import requestSchema from "../../schemas/request.schema.json" with { type: "json" };

type Json = Record<string, unknown>;

/** Arguments of explain_transaction. */
export const explainInput: Json = bare(requestSchema);

/** No arguments. */
export const noInput: Json = { type: "object", properties: {}, additionalProperties: false };

/** What explain_transaction gives, or the challenge that stands in for it. */
export function explainOutput(actionTypes: readonly string[]): Json {
  const { properties, ...schema } = bare(explanationSchema);
  const known = properties as Record<string, Json>;
  const listed = { ...known, action_type: { ...known.action_type, enum: [...actionTypes] } };
  return orChallenge({ ...schema, properties: listed });
}

/** What buy_pass gives, or the challenge that comes first. */
export const passOutput: Json = orChallenge(bare(passSchema));

/**
 * Some clients hold structured content against the schema even in an error, so a challenge has to fit it; and the same clients
 * want `type` at the root.
 */
function orChallenge(result: Json): Json {
  return { type: "object", anyOf: [result, bare(paymentRequiredSchema)] };
}

/** Without `$id`: some clients keep compiled schemas by it, across servers. */
function bare({ $schema: _dialect, $id: _id, ...schema }: Json): Json {
  return schema;
}
