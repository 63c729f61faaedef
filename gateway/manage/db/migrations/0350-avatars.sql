-- The picture of a member of staff; a picture belongs to one person.
alter table sys_user add column avatar_file_id text unique references file_object (id);
