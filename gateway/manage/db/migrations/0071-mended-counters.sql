-- Rows of a counter that the proof of the books found drifted and counted again.
alter table ledger_proof_rule add column mended int not null default 0;
