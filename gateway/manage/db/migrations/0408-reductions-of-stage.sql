-- The list of reductions by stage, as by agency and department.
create index reduction_stage on reduction (stage_id, launched_at desc, id desc);
