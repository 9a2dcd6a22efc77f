-- The site before the requirement: all requirements of a student at a place stand together, and the planner need not skip through them.
-- It reckons that with the number of requirements of all programs, and read the whole program instead where there were a hundred.
alter table student_requirement drop constraint student_requirement_pkey;
alter table student_requirement add primary key (program_id, student_id, site_id, requirement_id);
