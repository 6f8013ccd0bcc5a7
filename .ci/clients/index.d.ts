import type { Client, ClientOptions } from "openapi-fetch";
import type { paths } from "./schema.js";

export type { components, operations, paths } from "./schema.js";

/** A typed client of the register at an address. */
export function register(baseUrl: string, options?: ClientOptions): Client<paths>;
