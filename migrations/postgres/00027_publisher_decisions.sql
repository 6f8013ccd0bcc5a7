-- +goose Up
-- Which institution the last harvests of a source took for each of its publishers,
-- and why; n is the place in the list, from 0.
CREATE TABLE publisher_decisions (
  source_id TEXT NOT NULL,
  n BIGINT NOT NULL,
  doc TEXT NOT NULL,
  PRIMARY KEY (source_id, n)
);
