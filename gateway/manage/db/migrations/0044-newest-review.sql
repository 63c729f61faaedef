-- the newest review of an order hears each of its steps: found without reading the others
drop index review_order;
create index review_order on review (order_id, created_at desc);
