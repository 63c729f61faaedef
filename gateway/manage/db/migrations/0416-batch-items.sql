-- What an order of a batch was before and was to become, as the preview showed it.

create table batch_item (
  batch_id text not null references job (id) on delete cascade,
  order_id text not null,
  before text not null,
  after text not null,
  primary key (batch_id, order_id)
);
