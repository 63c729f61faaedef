-- The chain of the operate log is signed with a key that is not in the database: whoever rewrites
-- entries and hashes cannot sign the entry at which the chain was signed last.
alter table log_chain
  add column signed_no bigint,
  add column signature text;

create function operate_log_refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'operate_log is append-only' using errcode = 'integrity_constraint_violation';
end $$;
create trigger operate_log_not_truncated before truncate on operate_log
  for each statement execute function operate_log_refuse_truncate();
create trigger log_chain_not_truncated before truncate or delete on log_chain
  for each statement execute function operate_log_refuse_truncate();
