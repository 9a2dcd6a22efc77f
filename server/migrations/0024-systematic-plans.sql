-- The systematic plan of a program for its accreditor: for each year goals, and for each goal outcomes with how they are
-- measured and what came of it (product 3.10).

create table plan_goal (
  program_id bigint not null references program,
  id bigint generated always as identity,
  year smallint not null check (year between 1990 and 2099),
  text text not null check (text <> '' and length(text) <= 500),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id)
);
create index plan_goal_year on plan_goal (program_id, year, id) where deleted_at is null;
create trigger touch before update on plan_goal for each row execute function touch();
call protect_by_program('plan_goal');

create table plan_outcome (
  program_id bigint not null,
  id bigint generated always as identity,
  goal_id bigint not null,
  outcome text not null check (outcome <> ''),
  measure text not null default '',
  benchmark text not null default '',
  -- When it is measured, and by whom: words of the program's own.
  timing text not null default '',
  responsible text not null default '',
  result text not null default '',
  action text not null default '',
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, goal_id) references plan_goal
);
create index plan_outcome_goal on plan_outcome (program_id, goal_id, id) where deleted_at is null;
create trigger touch before update on plan_outcome for each row execute function touch();
call protect_by_program('plan_outcome');

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (891, 8, 'reports', '/new/admin/systematic-plans', 50, 'Systematic Plans', true, 1);
