-- Work and quality of reviewers, by the day it happened.
create table report_review_day (
  day date not null,
  reviewer_id text not null,
  claimed int not null,
  decided int not null,
  passed int not null,
  -- of the decided ones that were opened: how many, and the seconds from opening to decision
  timed int not null,
  seconds bigint not null,
  expired int not null,
  handovers int not null,
  asked int not null,
  checked int not null,
  quality_passed int not null,
  wrong_rejections int not null,
  wrong_passes int not null,
  other_mistakes int not null,
  primary key (day, reviewer_id)
);

-- Rejections by reason, by the day of the decision; one without a reviewer has an empty text.
create table report_reject_day (
  day date not null,
  reviewer_id text not null,
  code text not null,
  rejections int not null,
  primary key (day, reviewer_id, code)
);

-- The queue through the hours of the day; what came in has no reviewer, an empty text.
create table report_review_hour (
  day date not null,
  hour int not null check (hour between 0 and 23),
  reviewer_id text not null,
  queued int not null,
  decided int not null,
  -- longest wait in seconds of what was claimed in the hour
  longest_wait int not null,
  primary key (day, hour, reviewer_id)
);

-- First instalments of the orders a reviewer passed, by due day, and those not paid seven days after.
create table report_due_reviewer (
  due_day date not null,
  reviewer_id text not null,
  passed_due int not null,
  passed_unpaid int not null,
  primary key (due_day, reviewer_id)
);
delete from report_rollup r where r.name = 'due';

create index review_reported_decided on review (decided_at) where decided_at is not null;
create index review_reported_claimed on review (claimed_at) where claimed_at is not null;
create index review_reported_checked on review (quality_at) where quality_at is not null;
create index review_log_reported on review_log (at)
  where event in ('CLAIM', 'ASSIGN', 'LEASE_EXPIRED', 'REQUEST_DATA');
create index review_handover_reported on review_handover (created_at);

create function mark_review_steps() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'reviewDay', ist_day(n.at) from new_rows n
    where n.event in ('CLAIM', 'ASSIGN', 'LEASE_EXPIRED', 'REQUEST_DATA');
  end if;
  return null;
end $$;
create trigger review_log_reported after insert on review_log
  referencing new table as new_rows for each statement execute function mark_review_steps();

create function mark_review() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'reviewDay', ist_day(t.at)
    from (values (new.queued_at), (new.claimed_at), (new.decided_at), (new.quality_at)) t (at)
    where t.at is not null;
  end if;
  return null;
end $$;
create trigger review_reported after insert on review for each row
  when (coalesce(new.queued_at, new.decided_at) is not null) execute function mark_review();

create function mark_review_again() returns trigger language plpgsql as $$
begin
  insert into report_mark (rollup, day)
  select distinct 'reviewDay', ist_day(t.at)
  from (values (old.queued_at), (new.queued_at), (old.claimed_at), (new.claimed_at), (old.decided_at),
    (new.decided_at), (old.quality_at), (new.quality_at)) t (at)
  where t.at is not null;
  return null;
end $$;
create trigger review_reported_again
  after update of queued_at, claimed_at, opened_at, decided_at, manual_result, reviewer_id, reject_code,
    quality, quality_class, quality_at on review for each row
  when ((old.queued_at, old.claimed_at, old.opened_at, old.decided_at, old.manual_result, old.reviewer_id,
      old.reject_code, old.quality, old.quality_class, old.quality_at)
    is distinct from (new.queued_at, new.claimed_at, new.opened_at, new.decided_at, new.manual_result,
      new.reviewer_id, new.reject_code, new.quality, new.quality_class, new.quality_at))
  execute function mark_review_again();

create function mark_new_handovers() returns trigger language plpgsql as $$
begin
  if not report_marks_off() then
    insert into report_mark (rollup, day)
    select distinct 'reviewDay', ist_day(n.created_at) from new_rows n;
  end if;
  return null;
end $$;
create trigger review_handover_reported after insert on review_handover
  referencing new table as new_rows for each statement execute function mark_new_handovers();
