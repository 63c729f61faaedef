-- Lists of customers and of the blacklist: who ended an entry and why, and the index of each list's default order.
alter table blacklist add column ended_by text references sys_user (id), add column end_reason text;
create index blacklist_newest on blacklist (created_at desc, id desc);
create index blacklist_customer on blacklist (customer_id, created_at desc);
create index customer_newest on customer (registered_at desc, id desc);
create index customer_aadhaar_last4 on customer (aadhaar_last4) where aadhaar_last4 is not null;
-- Every role has the customer's page (hidden) now, so it needs the group above it; a menu is granted only by the start that brings it.
insert into sys_role_menu (role_id, menu_id)
select g.id, m.id from sys_role g cross join sys_menu m where g.built_in and m.id = 'M_customer_management'
on conflict do nothing;
