-- Announcements to staff, and to whom each was shown.
create sequence notice_id_seq start 100001;
create table notice (
  id text primary key default 'N' || nextval('notice_id_seq'),
  title text not null,
  content text not null,
  status text not null check (status in ('draft', 'published', 'withdrawn')),
  pop_condition text not null check (pop_condition in ('none', 'everyLogin', 'oncePerDay', 'once')),
  -- unique marks; empty = everybody
  roles text[] not null default '{}',
  -- accounts it was shown to
  exposure_count int not null default 0,
  -- what was shown before is shown again after a new publication
  published_at timestamptz,
  updated_by text references sys_user (id),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create index notice_status on notice (status, updated_at desc);
create index notice_updated on notice (updated_at desc, id);

create table notice_read (
  notice_id text not null references notice (id) on delete cascade,
  user_id text not null references sys_user (id),
  shown_at timestamptz not null,
  primary key (notice_id, user_id)
);

-- Filters, sort and columns of a list under a name.
create sequence list_view_id_seq start 100001;
create table list_view (
  id text primary key default 'LV' || nextval('list_view_id_seq'),
  -- name of the list, as its columns are kept under
  menu text not null,
  name text not null,
  owner_id text not null references sys_user (id),
  -- whose holders see it; null = its owner alone
  role_id text references sys_role (id),
  filters jsonb not null,
  columns jsonb,
  sort text,
  -- opened when its owner comes to the list without a filter
  is_default boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  version int not null default 1
);
create unique index list_view_name on list_view (owner_id, menu, lower(name));
create unique index list_view_default on list_view (owner_id, menu) where is_default;
create index list_view_shared on list_view (role_id, menu) where role_id is not null;

-- An export is a job: the rows as they stood when it was read, part by part, until the file is made of them.
alter table job add column file_id text;
create table export_part (
  job_id text not null references job (id) on delete cascade,
  n int not null,
  -- as the list answered them: masked
  rows jsonb,
  -- lines of the file, once they are written
  lines text,
  primary key (job_id, n)
);

insert into sys_config (id, number, code, name, value, value_type, built_in, public) values
  ('K1001', 'K1001', 'export.approveAbove', 'Export: most rows without an approval', '10000', 'int', true, true),
  ('K1002', 'K1002', 'export.keepHours', 'Export: hours a file can be downloaded', '24', 'int', true, true);
