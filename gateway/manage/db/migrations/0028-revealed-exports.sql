-- Lines of an export with phones in the clear, sealed until the file is made of them.
alter table export_part
  add column id text generated always as (job_id || ':' || n::text) stored,
  add column lines_enc bytea;
