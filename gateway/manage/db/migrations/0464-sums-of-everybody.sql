-- Who sees everything asks for no unit and no reviewer: a row for each would be read for nothing, and the
-- fuller the days of a book, the more there are.
create table report_recovered_all (
  day date not null,
  stage_id text not null,
  bucket text not null,
  bills int not null,
  recovered bigint not null,
  primary key (day, stage_id, bucket)
);

create table report_came_all (
  day date not null,
  stage_id text not null,
  -- E = new in collection, S = new of the stage
  news text not null,
  cases int not null,
  amount bigint not null,
  primary key (day, stage_id, news)
);

alter table report_review_hour drop constraint report_review_hour_pkey;
alter table report_review_hour add primary key (reviewer_id, day, hour)
  include (queued, decided, longest_wait);
create index report_review_hour_day on report_review_hour (day);
comment on column report_review_hour.reviewer_id is 'empty: of all reviewers, and what came in';

delete from report_rollup where name in ('recovery', 'reviewDay');
