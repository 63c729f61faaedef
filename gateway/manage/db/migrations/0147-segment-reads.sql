-- Rows of segments show how far a customer came; nodes and messages are looked for by run and by node.
create index bank_card_customer on bank_card (customer_id);
create index marketing_contact_run on marketing_contact (run_id);
create index marketing_contact_node_messages on marketing_contact (node_id, message_at desc, id desc)
  where message_state is not null;
