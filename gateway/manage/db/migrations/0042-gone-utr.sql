-- A payment that failed or was taken back is looked for by its UTR, too; the index of those that stand leaves it out. Few rows, so booking pays nothing.
create index repay_record_gone_utr on repay_record (utr) where utr is not null and (pay_state = 'fail' or reversed_at is not null);
