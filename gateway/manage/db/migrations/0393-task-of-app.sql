-- A task knows the app and the channel of its customer: lists of an app looked at the customer of each task.
alter table tele_task add column app_id text, add column channel_id text;
update tele_task t set app_id = c.app_id, channel_id = c.channel_id from customer c where c.id = t.customer_id;

create function place_tele_task() returns trigger language plpgsql as $$
begin
  select c.app_id, c.channel_id into new.app_id, new.channel_id from customer c where c.id = new.customer_id;
  return new;
end $$;
create trigger tele_task_placed before insert on tele_task for each row execute function place_tele_task();

create function move_tele_tasks() returns trigger language plpgsql as $$
begin
  update tele_task t set app_id = new.app_id, channel_id = new.channel_id where t.customer_id = new.id;
  return null;
end $$;
create trigger customer_tasks_moved after update of app_id, channel_id on customer for each row
  when ((old.app_id, old.channel_id) is distinct from (new.app_id, new.channel_id))
  execute function move_tele_tasks();
