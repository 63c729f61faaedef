-- How many groups a board has. From the columns alone the planner multiplies agencies, departments, groups,
-- collectors and stages, and sorts a hundred thousand cases for fear of as many sums.
create statistics collection_case_place (ndistinct)
  on agency_id, department_id, group_id, collector_id, stage_id from collection_case;
analyze collection_case;

-- Ids of the log's targets begin with their kind, so they are found without it. Each entry was written to
-- this index twice: when it was made and when it was sealed.
drop index operate_log_target;

-- A line of an allocation is written once more when it is done: with room on its page no index changes.
alter table allocation_item set (fillfactor = 60);
