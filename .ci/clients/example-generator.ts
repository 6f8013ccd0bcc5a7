// Lists the first entries of a register with a client that openapi-generator made.
declare const process: { argv: string[] };

import { Configuration, EntriesApi } from "./index";

const api = new EntriesApi(new Configuration({ basePath: process.argv[2], fetchApi: fetch }));
void api.listEntries({}).then((page) => {
  for (const entry of page.items.slice(0, 3)) console.log(entry.slug, entry.type, entry.mqaScore);
});
