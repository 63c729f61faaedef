-- The report on risk reads one kind of key: routes are few beside rules and codes.
create index report_risk_day_kind on report_risk_day (kind, day);
create index report_risk_due_kind on report_risk_due (kind, due_day);
