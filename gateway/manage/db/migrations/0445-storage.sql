-- Files can lie at a vendor of their app. The row stays here; sealed bytes go to the vendor under a
-- random name, and a key of their own stays here, without which they are noise.
alter table tp_vendor drop constraint tp_vendor_kind_check;
alter table tp_vendor add constraint tp_vendor_kind_check check (kind in ('payout', 'collect', 'kyc',
  'bureau', 'sms', 'whatsapp', 'voice', 'aiCall', 'storage'));

create table stored_object (
  -- random: its name at the vendor
  id text primary key,
  tp_cfg_id text not null references tp_cfg (id),
  -- whose bytes it has; null when the file is gone. No foreign key: the object outlives the file
  file_id text,
  -- writing: it may be at the vendor, and the bytes still lie here; kept: only there; erasing: it is
  -- deleted there until the vendor confirms
  state text not null check (state in ('writing', 'kept', 'erasing')),
  -- opens the object; sealed; null as soon as nobody may open it any more
  data_key_enc bytea,
  -- of the bytes at the vendor
  size int not null,
  sha256 bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  -- kept: when it was looked for last; erasing: when it is deleted at the earliest
  looked_at timestamptz not null default clock_timestamp(),
  -- kept: what the last look found
  fault text check (fault in ('missing', 'damaged')),
  tries int not null default 0,
  check ((state = 'erasing') = (data_key_enc is null)),
  check (state = 'erasing' or file_id is not null)
);
create unique index stored_object_kept on stored_object (file_id) where state = 'kept';
create index stored_object_file on stored_object (file_id) where file_id is not null;
create index stored_object_looked on stored_object (state, looked_at);
create index stored_object_fault on stored_object (file_id) where fault is not null;

-- null: the bytes are those of its stored object
alter table file_object alter column content drop not null;
create index file_object_here on file_object (created_at, id) where content is not null;
-- whose file it is
create index customer_photo_file on customer_photo (file_id);
create index repay_proof_file_file on repay_proof_file (file_id);

-- Whoever deletes a file: the order to delete its objects stands in the same transaction, and nothing
-- that is left of them can be opened.
create function file_object_gone() returns trigger language plpgsql as $$
begin
  update stored_object set state = 'erasing', data_key_enc = null, file_id = null, fault = null,
    -- a call that hangs may still write it
    looked_at = clock_timestamp() + case state when 'writing' then interval '10 minutes' else interval '0' end
  where file_id = old.id;
  return null;
end $$;
create trigger file_object_gone after delete on file_object
  for each row execute function file_object_gone();

-- Up to where the files of an app were moved to its vendor.
create table file_move (
  app_id text primary key references app (id),
  moved_to timestamptz not null
);

-- What the sandbox of a store has.
create table sandbox_object (
  id text primary key,
  content bytea not null
);
