-- Conversions of a person today.
create index tele_task_credited on tele_task (credited_to, closed_at) where state = 'converted';
