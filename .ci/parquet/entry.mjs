// What the pages need of hyparquet, in one file that they load from their own origin when a
// reader asks for it: npm --prefix .ci/parquet ci && npm --prefix .ci/parquet run make
export { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
