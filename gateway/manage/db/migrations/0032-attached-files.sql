-- files that came with a wish to stop collection, and with a step of a ticket; each belongs to one of them
create table stop_file (
  stop_id text not null references stop_collection (id),
  n int not null check (n between 1 and 5),
  file_id text not null unique references file_object (id),
  primary key (stop_id, n)
);
create table feedback_file (
  step_id bigint not null references feedback_step (id),
  n int not null check (n between 1 and 5),
  file_id text not null unique references file_object (id),
  primary key (step_id, n)
);
