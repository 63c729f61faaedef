-- What a batch demands of the reviewers of an application before it may pass.

alter table review add column demands text[] not null default '{}'
  constraint review_demands_known check (demands <@ array['identity', 'call']);
create index review_demanded on review (id) where demands <> '{}';
