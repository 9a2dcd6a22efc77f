-- The planner takes a program and one of its requirements for two things that have nothing to do with each other, so that they are one row to
-- it where they are thousands, the more programs there are the surer. From a hundred programs on it read all students of a requirement for
-- each of them. So the key leads to a student's requirements alone: with the site before the requirement nothing in it is skipped, and
-- there is no index by requirement that would look as good.
alter table student_requirement drop constraint student_requirement_pkey;
alter table student_requirement add primary key (program_id, student_id, site_id, requirement_id);
drop index student_requirement_of;
