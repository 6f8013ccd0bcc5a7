// Lists the first entries of a register: node example.ts https://register.example
declare const process: { argv: string[] };

import { register } from "./index.js";

const { data, error } = await register(process.argv[2]).GET("/api/v1/entries");
if (!data) throw new Error(JSON.stringify(error));
for (const entry of data.items.slice(0, 3)) console.log(entry.slug, entry.type, entry.mqa_score);
