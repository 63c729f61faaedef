create index payout_transfer_of_vendor on payout_transfer (vendor_code, created_at desc, id desc);
create index follow_up_order on follow_up (order_id, created_at desc);
-- Figures beside products, stages and collectors.
create index loan_order_applied on loan_order (product_id) where status in (10, 20, 22, 26, 31);
create index collection_case_open_stage on collection_case (stage_id) where state <> 'closed';
create index collection_case_ended_by on collection_case (collector_id, ended_at) where ended_at is not null;
