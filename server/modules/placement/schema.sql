create table placement_plan (
  program_id bigint not null references program,
  id bigint generated always as identity,
  name text collate alphabetical not null check (name <> ''),
  rotation_id bigint not null,
  template text not null check (template in ('wheel', 'ranked')),
  -- Whose cohort it plans for; empty when the students were picked.
  cohort text collate alphabetical not null default '',
  start_date date not null,
  end_date date not null,
  weeks_per_block smallint not null check (weeks_per_block between 1 and 26),
  -- What is asked of students by level, and the goals: `PlanRules` of contract/placement/plan-fields.ts.
  rules jsonb not null,
  -- When students rank: both or neither.
  opens_at timestamptz,
  closes_at timestamptz,
  instructions text not null default '',
  most_ranks smallint not null default 5 check (most_ranks between 1 and 20),
  -- Students were invited for this opening, and reminded for this closing.
  invited_for timestamptz,
  reminded_for timestamptz,
  -- From when on students see what was accepted; null while it is hidden.
  published_at timestamptz,
  revision integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  -- Students are told once of each time from which they see their result.
  told_for timestamptz,
  -- Students may rank the sites of each block of a plan instead of once.
  ranks_per text not null default 'plan' check (ranks_per in ('plan', 'block')),
  -- Plans of several programs of a college that are solved together. Each program lets others do so for each plan.
  is_open_to_others boolean not null default false,
  primary key (program_id, id),
  foreign key (program_id, rotation_id) references rotation,
  check (start_date <= end_date),
  check ((opens_at is null) = (closes_at is null)),
  check (opens_at < closes_at)
);
create index placement_plan_list on placement_plan (program_id, start_date desc, id desc) where deleted_at is null;
create index placement_plan_rotation on placement_plan (program_id, rotation_id);
create index placement_plan_closing on placement_plan (closes_at) where deleted_at is null and closes_at is not null;
create index placement_plan_published on placement_plan (published_at) where deleted_at is null and published_at is not null;
create trigger touch before update on placement_plan for each row execute function touch();
call protect_by_program('placement_plan');

create table placement_student (
  program_id bigint not null,
  plan_id bigint not null,
  student_id bigint not null,
  -- Rows of Block (from 0) and SiteId: where she is in any case.
  pins jsonb not null default '[]',
  -- Sites where she is never placed: she or her family works there, or the site refuses her.
  excluded bigint[] not null default '{}',
  note text not null default '',
  primary key (program_id, plan_id, student_id),
  foreign key (program_id, plan_id) references placement_plan,
  foreign key (program_id, student_id) references account (program_id, id)
);
create index placement_student_of on placement_student (program_id, student_id, plan_id);
call protect_by_program('placement_student');

-- What sites have said about the plan; a site without a row takes students as its shifts have places.
create table placement_site (
  program_id bigint not null,
  plan_id bigint not null,
  site_id bigint not null,
  -- Students at a time; null as scheduled, 0 none.
  takes integer check (takes between 0 and 10000),
  -- Places that others have: another program or school.
  reserved integer not null default 0 check (reserved between 0 and 10000),
  -- Technologists on a shift, each for one student; null when it is not counted.
  technologists integer check (technologists between 0 and 10000),
  -- A site may take so many students of a plan at a time or none.
  at_least integer check (at_least between 2 and 10000),
  primary key (program_id, plan_id, site_id),
  foreign key (program_id, plan_id) references placement_plan,
  foreign key (program_id, site_id) references site
);
create index placement_site_of on placement_site (program_id, site_id);
call protect_by_program('placement_site');

create table placement_preference (
  program_id bigint not null,
  plan_id bigint not null,
  student_id bigint not null,
  -- Sites, the best first.
  site_ids bigint[] not null default '{}',
  -- Private to staff.
  reason text not null default '' check (length(reason) <= 500),
  saved_at timestamptz not null default now(),
  -- Null while she has not said that this is it.
  submitted_at timestamptz,
  import_id bigint,
  -- Rows of Block (from 0) and SiteIds, the best first, where each block is ranked: `site_ids` is empty then.
  block_rankings jsonb not null default '[]',
  primary key (program_id, plan_id, student_id),
  foreign key (program_id, plan_id, student_id) references placement_student
);
create index placement_preference_import on placement_preference (program_id, import_id) where import_id is not null;
call protect_by_program('placement_preference');

create table placement_draft (
  program_id bigint not null,
  id bigint generated always as identity,
  plan_id bigint not null,
  name text collate alphabetical not null check (name <> ''),
  -- The draft that it was copied from, for a what-if.
  parent_id bigint,
  seed integer not null default 1,
  -- Weights of the goals and changed places: `DraftInput` of contract/placement/drafts.ts.
  input jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'stopped', 'failed')),
  -- Set by a person; the process sees it within a second.
  wish text not null default '' check (wish in ('', 'stop')),
  attempts smallint not null default 0,
  -- Figures of the run and of the draft: `DraftFigures`.
  figures jsonb not null default '{}',
  error text not null default '',
  beat_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  revision integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  step integer not null default 0,
  steps integer not null default 0,
  expected_seconds integer not null default 0,
  seconds double precision,
  -- Whose drafts were solved with this one, itself among them, the one that began it first: rows of ProgramId, PlanId, DraftId, Program,
  -- Students, and IsByConsent where the plan has to be open to others. Empty for a draft of its plan alone.
  together jsonb not null default '[]',
  -- That its next run is one of all of them: until a run of them has come to its end.
  is_joint boolean not null default false,
  primary key (program_id, id),
  foreign key (program_id, plan_id) references placement_plan,
  foreign key (program_id, parent_id) references placement_draft
);
create index placement_draft_plan on placement_draft (program_id, plan_id, id) where deleted_at is null;
create index placement_draft_parent on placement_draft (program_id, parent_id) where parent_id is not null;
create index placement_draft_open on placement_draft (beat_at) where state in ('queued', 'running');
call protect_by_program('placement_draft');

create table placement_cell (
  program_id bigint not null,
  draft_id bigint not null,
  student_id bigint not null,
  -- From 0.
  block smallint not null,
  site_shift_id bigint not null,
  -- The weekdays on which she is there, 0 is Sunday.
  weekdays smallint[] not null,
  -- Where the site was in her ranking; null when it was not.
  rank smallint,
  is_locked boolean not null default false,
  -- Which of them a student serves in a cell; null in drafts of before, which have the plan's own.
  rotation_id bigint,
  primary key (program_id, draft_id, student_id, block),
  foreign key (program_id, draft_id) references placement_draft on delete cascade,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, rotation_id) references rotation,
  foreign key (program_id, site_shift_id) references site_shift
);
create index placement_cell_student on placement_cell (program_id, student_id);
create index placement_cell_shift on placement_cell (program_id, site_shift_id);
create index placement_cell_rotation on placement_cell (program_id, rotation_id);
call protect_by_program('placement_cell');

-- What was made of a draft at one time: it is undone as a whole.
create table placement_acceptance (
  program_id bigint not null,
  id bigint generated always as identity,
  plan_id bigint not null,
  draft_id bigint not null,
  assignment_ids bigint[] not null,
  -- Rows of StudentId, Block, SiteShiftId and Rank.
  cells jsonb not null,
  accepted_at timestamptz not null default now(),
  accepted_by bigint,
  undone_at timestamptz,
  undone_by bigint,
  primary key (program_id, id),
  foreign key (program_id, plan_id) references placement_plan,
  foreign key (program_id, draft_id) references placement_draft
);
create index placement_acceptance_plan on placement_acceptance (program_id, plan_id, id);
create index placement_acceptance_draft on placement_acceptance (program_id, draft_id);
call protect_by_program('placement_acceptance');

-- What a student is owed from a plan: who had low ranks then goes first later.
create table placement_points (
  program_id bigint not null,
  plan_id bigint not null,
  student_id bigint not null,
  points smallint not null check (points between 0 and 1000),
  primary key (program_id, plan_id, student_id),
  foreign key (program_id, plan_id, student_id) references placement_student
);
create index placement_points_student on placement_points (program_id, student_id);
call protect_by_program('placement_points');

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
