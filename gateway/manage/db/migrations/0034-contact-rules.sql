-- What a borrower and the calendar forbid, beside the hours of contact (domain.md 1, rules 5 and 6).

-- times the borrower asked to be left alone: [{"days": [1..7, Monday first], "from": "HH:MM", "to": "HH:MM"}], IST
alter table customer add column no_contact jsonb not null default '[]';

-- One truth for holidays: the dictionary an administrator keeps (roles.md 5.7). Its code is the day; what was stored moves there.
insert into sys_dict (type_name, code, sort, built_in) values ('Holiday', 'holiday', 900, true)
on conflict (code) do update set built_in = true, updated_at = clock_timestamp();
insert into sys_dict_detail (dict_id, code, labels)
select d.id, h.day::text, jsonb_build_object('en', h.name) from holiday h cross join sys_dict d where d.code = 'holiday'
on conflict (dict_id, code) do nothing;
drop table holiday;
create view holiday (day, name) as
  -- a code that is no day, from before the type had a meaning, counts for nothing; the case keeps it from being read as one
  select
    case
      when e.code ~ '^\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8]))$' then e.code::date
      when e.code ~ '^\d\d(0[48]|[2468][048]|[13579][26])-02-29$' then e.code::date
    end,
    e.labels ->> 'en'
  from sys_dict_detail e
  join sys_dict d on d.id = e.dict_id
  where d.code = 'holiday' and e.state = 'enabled';

-- Words a remark is asked about before it is kept (domain.md 1, rule 3): an administrator's to change, a start is given here.
insert into sys_dict (type_name, code, sort, built_in) values ('Harsh word', 'harsh_word', 901, true)
on conflict (code) do update set built_in = true, updated_at = clock_timestamp();
insert into sys_dict_detail (dict_id, code, labels, sort)
select d.id, w.code, w.labels::jsonb, w.n
from sys_dict d cross join (values
  ('threaten', '{"en": "threaten", "zh": "威胁", "es": "amenazar", "ja": "脅す", "vi": "đe dọa", "id": "ancam", "th": "ข่มขู่"}', 1),
  ('threatened', '{"en": "threatened", "zh": "恐吓", "es": "amenacé", "ja": "脅した", "vi": "dọa nạt", "id": "mengancam", "th": "ขู่"}', 2),
  ('arrest', '{"en": "arrest", "zh": "逮捕", "es": "arrestar", "ja": "逮捕", "vi": "bắt giữ", "id": "tangkap", "th": "จับกุม"}', 3),
  ('jail', '{"en": "jail", "zh": "坐牢", "es": "cárcel", "ja": "刑務所", "vi": "bỏ tù", "id": "penjara", "th": "ติดคุก"}', 4),
  ('shame', '{"en": "shame", "zh": "羞辱", "es": "vergüenza", "ja": "恥", "vi": "làm nhục", "id": "permalukan", "th": "ประจาน"}', 5),
  ('thief', '{"en": "thief", "zh": "小偷", "es": "ladrón", "ja": "泥棒", "vi": "kẻ cắp", "id": "maling", "th": "หัวขโมย"}', 6),
  ('idiot', '{"en": "idiot", "zh": "白痴", "es": "idiota", "ja": "馬鹿", "vi": "đồ ngu", "id": "bodoh", "th": "ไอ้โง่"}', 7),
  ('chor', '{"en": "chor"}', 8),
  ('dhamki', '{"en": "dhamki"}', 9)
) as w (code, labels, n)
where d.code = 'harsh_word'
on conflict (dict_id, code) do nothing;
