-- What a run did, as counts that each language has labels for. `message` is why a run failed; runs of
-- before have an English sentence there.
alter table scheduled_task add column last_counts jsonb;
alter table scheduled_run add column counts jsonb;
