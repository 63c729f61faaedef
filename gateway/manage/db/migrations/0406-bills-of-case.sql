-- What was recovered of a case since it moved: without it, each open case of a day looks through the
-- bills of all cases.
create index recovery_bill_case on recovery_bill (case_id, paid_at) include (amount);
