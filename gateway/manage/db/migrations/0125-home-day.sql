-- What one person, or the lender, did today and yesterday: the figures of the home page.
create index review_checked on review (quality_by, quality_at) where quality_at is not null;
create index feedback_replied on feedback (processor_id, first_reply_at) where first_reply_at is not null;
create index feedback_resolved on feedback (processor_id, finished_at) where finished_at is not null;
create index tele_task_converted on tele_task (closed_at) where state = 'converted';
create index sys_session_login on sys_session (login_at);
