-- The weekly email about requirements was sent to the staff of a program for this week.
create table requirement_digest (
  program_id bigint not null references program,
  -- Its Monday.
  week date not null,
  sent_at timestamptz not null default now(),
  primary key (program_id, week)
);
call protect_by_program('requirement_digest');

call add_mail_template('REQUIREMENT_weekly',
  '<p><strong>Requirements of the week.</strong> Tells coordinators each Monday what waits, what has expired and what expires soon.</p>',
  '{{change.summary}}',
  '<p>Hello {{coordinator.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">Requirements by student</a></p>');
