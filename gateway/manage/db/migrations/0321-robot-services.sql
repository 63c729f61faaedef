-- Who was handed a call of the robot. Both null: a call before this, of the vendor of the installation.
alter table ai_call add column vendor_code text;
alter table ai_call add column tp_cfg_id text references tp_cfg (id);
-- a call that no vendor took was no contact of the borrower
alter table ai_call alter column contact_call_id drop not null;

-- Kinds that nothing in the product calls are not kept as if they had an effect.
delete from tp_app_cfg where kind not in ('payout', 'sms', 'whatsapp', 'aiCall');
delete from tp_attempt a using tp_cfg c join tp_vendor v on v.id = c.vendor_id
where a.cfg_id = c.id and v.kind not in ('payout', 'sms', 'whatsapp', 'aiCall');
delete from tp_health h using tp_cfg c join tp_vendor v on v.id = c.vendor_id
where h.cfg_id = c.id and v.kind not in ('payout', 'sms', 'whatsapp', 'aiCall');
delete from tp_cfg c using tp_vendor v
where v.id = c.vendor_id and v.kind not in ('payout', 'sms', 'whatsapp', 'aiCall');
delete from tp_vendor where kind not in ('payout', 'sms', 'whatsapp', 'aiCall');
alter table tp_vendor drop constraint tp_vendor_kind_check;
alter table tp_vendor add constraint tp_vendor_kind_check
  check (kind in ('payout', 'sms', 'whatsapp', 'aiCall'));
