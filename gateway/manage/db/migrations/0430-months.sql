-- Logs that only grow are kept by the month of India: a month that is over its term goes with its space,
-- and no row of it is deleted. `LOG_before` holds what was written before the log was divided, and
-- `LOG_unplaced` what finds no month; it stays empty.

-- Divides a log by the month of one of its columns, which may stand in its key from now on. What it holds
-- stays where it lies: the table becomes the first partition. Nothing may be referred to by a key across
-- months, and a log that refers to other tables by keys would lock them with each month.
create function divide_by_month(log text, moment text) returns void language plpgsql as $$
declare
  old text := log || '_before';
  indexes text[] := array(select pg_get_indexdef(i.indexrelid) from pg_index i
    where i.indrelid = log::regclass and not i.indisunique);
  triggers text[] := array(select pg_get_triggerdef(t.oid) from pg_trigger t
    where t.tgrelid = log::regclass and not t.tgisinternal);
  has_identity boolean := exists (select from pg_attribute a
    where a.attrelid = log::regclass and a.attname = 'id' and a.attidentity <> '');
  next_id bigint;
  month date;
  one record;
begin
  execute format('lock table %I in access exclusive mode', log);
  execute format($q$select greatest(
      date_trunc('month', clock_timestamp() at time zone 'Asia/Kolkata'),
      date_trunc('month', max(%I) at time zone 'Asia/Kolkata') + interval '1 month')::date from %I$q$,
    moment, log) into month;
  if has_identity then
    next_id := nextval(pg_get_serial_sequence(log, 'id'));
    execute format('alter table %I alter id drop identity', log);
  end if;
  for one in select c.conname from pg_constraint c
    where c.conrelid = log::regclass and c.contype in ('p', 'f') loop
    execute format('alter table %I drop constraint %I', log, one.conname);
  end loop;
  for one in select t.tgname from pg_trigger t where t.tgrelid = log::regclass and not t.tgisinternal loop
    execute format('drop trigger %I on %I', one.tgname, log);
  end loop;
  for one in select i.indexrelid::regclass as name from pg_index i where i.indrelid = log::regclass loop
    execute format('alter index %s rename to %I', one.name,
      old || substring(one.name::text from length(log) + 1));
  end loop;
  execute format('alter table %I rename to %I', log, old);
  execute format('create table %I (like %I including defaults including constraints) partition by range (%I)',
    log, old, moment);
  execute format('alter table %I add primary key (id, %I)', log, moment);
  if has_identity then
    execute format('alter table %I alter id add generated always as identity (start %s)', log, next_id);
  end if;
  for one in select unnest(indexes) as made loop
    execute one.made;
  end loop;
  execute format('alter table %I add primary key (id, %I)', old, moment);
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', log, old,
    month::timestamp at time zone 'Asia/Kolkata');
  for one in select unnest(triggers) as made loop
    execute one.made;
  end loop;
  perform guard_part(log, old);
  perform make_month(log, null);
  perform make_month(log, month);
end $$;

-- A log that may not be emptied may not be emptied by its parts either.
create function guard_part(log text, part text) returns void language plpgsql as $$
declare
  one record;
begin
  for one in select t.tgname, t.tgfoid::regproc as does from pg_trigger t
    where t.tgrelid = log::regclass and not t.tgisinternal and (t.tgtype & 32) <> 0 loop
    execute format('create trigger %I before truncate on %I for each statement execute function %s()',
      one.tgname, part, one.does);
  end loop;
end $$;

-- Makes the partition of a month, or without one that of what finds no month, with all that its first
-- partition has.
create function make_month(log text, month date) returns void language plpgsql as $$
declare
  old regclass := (log || '_before')::regclass;
  part text := log || coalesce(to_char(month, '_YYYY_MM'), '_unplaced');
  options text[] := (select c.reloptions from pg_class c where c.oid = old);
  one record;
begin
  execute format('create table public.%I (like %I including defaults including constraints)', part, log);
  if options is not null then
    execute format('alter table %I set (%s)', part, array_to_string(options, ', '));
  end if;
  -- a number is unique in its month; that it is over all months is held by the one who gives it
  for one in select pg_get_indexdef(i.indexrelid) as made from pg_index i
    where i.indrelid = old and i.indisunique and not i.indisprimary loop
    execute replace(one.made, log || '_before', part);
  end loop;
  if month is null then
    execute format('alter table %I attach partition %I default', log, part);
  else
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', log, part,
      month::timestamp at time zone 'Asia/Kolkata',
      (month + interval '1 month')::timestamp at time zone 'Asia/Kolkata');
  end if;
  perform guard_part(log, part);
end $$;

-- Months of a log, as their names tell them.
create function months_of(log text) returns table (part text, month date, ends timestamptz)
language sql stable as $$
  select m.part, m.month, (m.month + interval '1 month')::timestamp at time zone 'Asia/Kolkata'
  from (
    select c.relname::text as part, to_date(right(c.relname::text, 7), 'YYYY_MM') as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = log::regclass and c.relname ~ '_\d{4}_\d{2}$'
  ) m
$$;

-- Makes the months of all divided logs up to the second after this one. A month of which rows lie among
-- those that found none is left out: they stay where they are, and the proof tells it.
create function make_months() returns int language plpgsql as $$
declare
  wanted date := date_trunc('month', clock_timestamp() at time zone 'Asia/Kolkata') + interval '2 months';
  next date;
  made int := 0;
  is_taken boolean;
  log record;
begin
  for log in
    select c.relname::text as name, a.attname as moment
    from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
      join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
    where c.relnamespace = 'public'::regnamespace
    order by 1
  loop
    select max(m.month) into next from months_of(log.name) m;
    continue when next >= wanted;
    -- of two cores one makes them
    perform pg_advisory_xact_lock(7003);
    select max(m.month) into next from months_of(log.name) m;
    while next < wanted loop
      next := next + interval '1 month';
      execute format($q$select exists (select from %I u
        where u.%I >= $1::timestamp at time zone 'Asia/Kolkata'
          and u.%2$I < ($1 + interval '1 month')::timestamp at time zone 'Asia/Kolkata')$q$,
        log.name || '_unplaced', log.moment) into is_taken using next;
      continue when is_taken;
      perform make_month(log.name, next);
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;

select divide_by_month('notification', 'at');
select divide_by_month('message_log', 'at');
select make_months();
