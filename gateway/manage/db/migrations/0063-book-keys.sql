-- Proof of the keys that seal this book, and what the cores that work on it say of themselves. A key
-- is known by its fingerprint; its check value opens with that key only.
create table book_key (
  key_id int primary key,
  fingerprint text not null,
  proof bytea not null,
  added_at timestamptz not null default clock_timestamp(),
  -- nothing is sealed with it any longer
  retired_at timestamptz
);

create table running_core (
  core_id text primary key,
  -- host and process, for a person
  place text not null,
  machine_review text not null,
  seal_with int not null,
  -- number → fingerprint of every key it has
  keys jsonb not null,
  seen_at timestamptz not null default clock_timestamp()
);
