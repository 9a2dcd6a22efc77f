-- A plan may place in several rotations: its own first, then these in their order.
create table placement_rotation (
  program_id bigint not null,
  plan_id bigint not null,
  rotation_id bigint not null,
  place smallint not null,
  primary key (program_id, plan_id, rotation_id),
  foreign key (program_id, plan_id) references placement_plan,
  foreign key (program_id, rotation_id) references rotation
);
create index placement_rotation_of on placement_rotation (program_id, rotation_id);
call protect_by_program('placement_rotation');

-- Which of them a student serves in a cell; null in drafts of before, which have the plan's own.
alter table placement_cell
  add column rotation_id bigint,
  add foreign key (program_id, rotation_id) references rotation;
create index placement_cell_rotation on placement_cell (program_id, rotation_id);
