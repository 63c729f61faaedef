-- The vendor a key speaks for: it reports on that vendor's work only. Null: it reports on the work of the
-- installation's own vendors, those of its settings.
alter table machine_key add column vendor_code text;
-- keys of the sandboxes inside the product are named after the vendor they play
update machine_key set vendor_code = split_part(name, ':', 2) where name like 'payout:%' or name like 'aiCall:%';
