-- The oldest cases whose borrower is still to be told of an outside agent are found by agency. A batch
-- of them read and sorted all that waited, again and again after a large allocation.
drop index collection_case_untold;
create index collection_case_untold on collection_case (agency_id, allocated_at, id)
  where intimated_at is null and state in ('allocated', 'promised');
