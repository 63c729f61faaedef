-- Lists of instalments and payments in the order people work: what is owed and soonest due, money nobody could place first.
create index repay_plan_soonest on repay_plan ((outstanding = 0), due_at, id);
create index repay_record_worked on repay_record ((pay_state = 'inProgress' and flag is not null) desc, paid_at desc, id desc);
