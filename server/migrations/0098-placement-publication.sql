-- Students are told once of each time from which they see their result.
alter table placement_plan add column told_for timestamptz;

-- Asked by the job without any program chosen.
create function placement_plans_published() returns table (program_id bigint, plan_id bigint)
  language sql stable security definer set search_path = public as $$
  select p.program_id, p.id from placement_plan p
  where p.deleted_at is null and p.published_at <= now() and p.told_for is distinct from p.published_at
$$;
create index placement_plan_published on placement_plan (published_at) where deleted_at is null and published_at is not null;

call add_mail_template('PLACEMENT_published',
  '<p><strong>Placements are out.</strong> Tells students that they can see where they are placed by a plan.</p>',
  'Your placement: {{plan.name}}',
  '<p>Hello {{student.firstName}},</p><p>Your placements of <strong>{{plan.name}}</strong> are out:</p><p>{{placements}}</p><p><a href="{{link}}">See your placement and why</a></p>');
