-- What falls due are instalments: money paid ahead, the rest of an EMI loan that ended early and
-- instalments nothing is left of are counted no longer. These rollups are filled again.
delete from report_rollup where name in ('due', 'cohort', 'remind', 'risk', 'campaign');
