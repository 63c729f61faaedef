-- A report of the morning may also be announced by e-mail, once its file is made.
alter table report_subscription
  add column by_email boolean not null default false,
  -- of the file made last
  add column job_id text references job (id) on delete set null,
  add column mailed_day date,
  add column mail_tries int not null default 0,
  add column mail_tried_at timestamptz;
