-- Fails a statement that did not find the rows its command has locked, where nobody waits for its answer.
create function found_all(rows_found bigint, rows_wanted bigint) returns boolean language plpgsql as $$
begin
  if rows_found <> rows_wanted then
    raise exception '% of % rows changed under their lock', rows_wanted - rows_found, rows_wanted
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return true;
end $$;
