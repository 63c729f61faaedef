-- Lists of an agency, a department, a group or a person start from their open cases and those that
-- ended lately: both are ranges of these, however many ended before.
drop index collection_case_agency;
create index collection_case_agency on collection_case (agency_id, state, ended_at);
drop index collection_case_department;
create index collection_case_department on collection_case (department_id, state, ended_at);
drop index collection_case_group;
create index collection_case_group on collection_case (group_id, state, ended_at);
create index collection_case_collector on collection_case (collector_id, state, ended_at);
-- A reviewer's orders and customers are those of the own reviews, read from the index alone.
drop index review_holder;
create index review_holder on review (reviewer_id, state) include (id, order_id, customer_id);
drop index review_first_reviewer;
create index review_first_reviewer on review (first_reviewer_id) include (id, order_id, customer_id)
  where first_reviewer_id is not null;
-- A person's own requests, beside those of the cases in scope.
create index reduction_launched_by on reduction (launched_by);
create index stop_collection_applied on stop_collection (applied_by);

-- Filters and sort keys of lists.
create index reduction_launcher on reduction (lower(launched_by_name) text_pattern_ops);
create index write_off_type on write_off (type, created_at desc, id desc);
create index write_off_operator on write_off (lower(operator_name) text_pattern_ops);
create index write_off_repayment on write_off (repayment_date);
create index repay_proof_customer on repay_proof (customer_id);
create index repay_proof_decided_as on repay_proof (state, created_at, id);
create index repay_proof_created on repay_proof (created_at, id);
create index repay_proof_paid on repay_proof (paid_at, id);
create index repay_proof_amount on repay_proof (amount, id);
create index repay_proof_decided on repay_proof (decided_at, id);
create index repay_proof_decided_last on repay_proof (decided_at desc nulls last, id);
create index stop_collection_reason on stop_collection (reason, start_at desc, id desc);
create index feedback_due_any on feedback (due_at, id);
create index feedback_finished_last on feedback (finished_at desc nulls last, id);
create index feedback_follow on feedback (follow_state) where follow_state <> 'caseClosed';
create index feedback_handed on feedback (handover_state) where handover_state is not null;
create index tele_task_over on tele_task (segment, loss_at desc, id) where closed_at is not null;
create index marketing_contact_state on marketing_contact (message_state, message_at desc, id desc)
  where message_state is not null;
create index collection_case_end_reason on collection_case (end_reason, ended_at desc, id desc)
  where ended_at is not null;
