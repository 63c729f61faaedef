-- the picture a product is known by; the file belongs to it alone
alter table product add column logo_file_id text unique references file_object (id);
