-- Where a message went, as it is shown: contacts are corrected, and an old message did not go to the new number. Written here,
-- because every job that sends writes the log; null = from before it was kept.
alter table message_log add column sent_to text;
create function message_recipient() returns trigger language plpgsql as $$
begin
  select case when new.way = 'email' then c.email_masked else 'XXXXXX' || c.phone_last4 end into new.sent_to from customer c where c.id = new.customer_id;
  return new;
end $$;
create trigger message_log_recipient before insert on message_log for each row execute function message_recipient();
