-- Who began a contact. A borrower may call at any hour, so the contact rules apply to outgoing ones only.
alter table follow_up add column direction text not null default 'out' check (direction in ('out', 'in'));

-- A note on a case is no contact: it counts nowhere and leaves the case as it is.
create sequence case_note_id_seq start 10000001;
create table case_note (
  id text primary key default 'CN' || nextval('case_note_id_seq'),
  case_id text not null references collection_case (id),
  operator_id text not null references sys_user (id),
  remark text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index case_note_case on case_note (case_id, created_at desc);
