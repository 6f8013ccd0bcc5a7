// verify-webhooks reads deliveries, one JSON object {secret, headers, body} a
// line, from standard input and lets the public library verify each. It prints
// how many it took and fails at the first one that is not accepted.
import { createInterface } from "node:readline";
import { createRequire } from "node:module";

const { Webhook } = createRequire(new URL("../../.cache/node/", import.meta.url))("standardwebhooks");

let accepted = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { secret, headers, body } = JSON.parse(line);
  const message = new Webhook(secret).verify(body, headers);
  if (typeof message.type !== "string" || typeof message.timestamp !== "string" || typeof message.data !== "object") {
    throw new Error(`the body is no message: ${body}`);
  }
  accepted++;
}
console.log(accepted);
