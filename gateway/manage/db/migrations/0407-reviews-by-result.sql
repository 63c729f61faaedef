-- The list of reviews by a rejection, and by what a quality check found.
create index review_rejected on review (id) where manual_result = 'failed';
create index review_quality_class on review (quality_class, id) where quality_class is not null;
