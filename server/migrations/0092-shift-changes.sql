-- Swaps, covers and late drops: nothing about the assignments changes until a change is final, and then everything at once.
create table shift_request (
  program_id bigint not null references program,
  id bigint generated always as identity,
  kind text not null check (kind in ('cover', 'swap', 'drop')),
  -- What is given, and by whom.
  assignment_id bigint not null,
  student_id bigint not null,
  -- Offered to everyone who could take it, or to some. A drop is offered to nobody.
  is_to_all boolean not null,
  note text not null default '',
  -- open: nobody has taken it; pending: it waits for approval.
  state text not null check (state in ('open', 'pending', 'done', 'declined', 'canceled', 'failed', 'expired')),
  taker_id bigint,
  -- What the taker gives in return.
  returned_id bigint,
  approval text not null check (approval in ('staff', 'site', 'none')),
  -- Why it was declined or failed.
  reason text not null default '',
  -- The given shift as it was offered, for the history.
  line text not null,
  returned_line text not null default '',
  -- The start of the first of the shifts: then it is over.
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  taken_at timestamptz,
  decided_at timestamptz,
  decided_by bigint,
  primary key (program_id, id),
  foreign key (program_id, assignment_id) references shift_assignment,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, taker_id) references account (program_id, id),
  foreign key (program_id, returned_id) references shift_assignment
);
-- A shift is given once, and given in return once.
create unique index shift_request_given on shift_request (program_id, assignment_id) where state in ('open', 'pending');
create unique index shift_request_returned on shift_request (program_id, returned_id) where state = 'pending';
create index shift_request_state on shift_request (program_id, state, id);
create index shift_request_expiry on shift_request (program_id, expires_at) where state in ('open', 'pending');
create index shift_request_student on shift_request (program_id, student_id, id);
create index shift_request_taker on shift_request (program_id, taker_id, id) where taker_id is not null;
call protect_by_program('shift_request');

-- Whom it was offered to, or who has answered an offer to everyone.
create table shift_request_person (
  program_id bigint not null,
  change_id bigint not null,
  student_id bigint not null,
  answer text not null check (answer in ('asked', 'declined', 'proposed')),
  -- The shift that she would give in return.
  assignment_id bigint,
  at timestamptz not null default now(),
  primary key (program_id, change_id, student_id),
  foreign key (program_id, change_id) references shift_request,
  foreign key (program_id, student_id) references account (program_id, id),
  foreign key (program_id, assignment_id) references shift_assignment,
  check (answer <> 'proposed' or assignment_id is not null)
);
create index shift_request_person_student on shift_request_person (program_id, student_id, change_id);
create index shift_request_person_assignment on shift_request_person (program_id, assignment_id) where assignment_id is not null;
call protect_by_program('shift_request_person');

-- The sites that are asked to approve, each by a link of its own.
create table shift_request_site (
  program_id bigint not null,
  id bigint generated always as identity,
  change_id bigint not null,
  site_id bigint not null,
  recipient text not null,
  answer text check (answer in ('approved', 'declined')),
  answered_at timestamptz,
  primary key (program_id, id),
  unique (program_id, change_id, site_id),
  foreign key (program_id, change_id) references shift_request,
  foreign key (program_id, site_id) references site
);
call protect_by_program('shift_request_site');

-- What happened to a change, in words.
create table shift_request_event (
  program_id bigint not null,
  id bigint generated always as identity,
  change_id bigint not null,
  at timestamptz not null default clock_timestamp(),
  -- Who did it; empty for the product itself.
  actor text not null,
  action text not null,
  detail text not null default '',
  primary key (program_id, id),
  foreign key (program_id, change_id) references shift_request
);
create index shift_request_event_change on shift_request_event (program_id, change_id, id);
call protect_by_program('shift_request_event');

-- A shift that somebody takes away or moves ends what was asked about it, and tells those whom it concerns. The change that hands
-- a shift over is done before it moves, so it is not among them.
create function end_shift_requests() returns trigger language plpgsql security definer set search_path = public as $$
begin
  with changed as (
    select r.program_id, r.id from (
      select program_id, id, student_id, site_shift_id, date, removed_at from was
      union all select program_id, id, student_id, site_shift_id, date, removed_at from became) r
    group by r.program_id, r.id
    having count(r.removed_at) > 0 or min(r.student_id) <> max(r.student_id) or min(r.site_shift_id) <> max(r.site_shift_id)
      or min(r.date) <> max(r.date)),
  gone as (
    delete from shift_request_person p using changed c
    where p.program_id = c.program_id and p.assignment_id = c.id and p.answer = 'proposed'
      and exists (select from shift_request x where x.program_id = p.program_id and x.id = p.change_id and x.state = 'open')),
  hit as (
    select x.program_id, x.id from changed c join shift_request x on x.program_id = c.program_id and x.assignment_id = c.id
      and x.state in ('open', 'pending')
    union
    select x.program_id, x.id from changed c join shift_request x on x.program_id = c.program_id and x.returned_id = c.id
      and x.state = 'pending'),
  ended as (
    update shift_request x set state = 'failed', decided_at = now(), reason = 'The shift was changed or removed meanwhile.'
    from hit h where x.program_id = h.program_id and x.id = h.id
    returning x.program_id, x.id, x.kind, x.student_id, x.taker_id, x.line),
  noted as (
    insert into shift_request_event (program_id, change_id, actor, action, detail)
    select e.program_id, e.id, '', 'failed', 'The shift was changed or removed meanwhile.' from ended e),
  unlinked as (
    update scoped_link l set withdrawn_at = now() from ended e join shift_request_site s on s.program_id = e.program_id and s.change_id = e.id
    where l.program_id = e.program_id and l.kind = 'swap' and l.subject_id = s.id and l.withdrawn_at is null)
  insert into notification (program_id, account_id, kind, text, link)
  select e.program_id, p.account_id, 'schedule',
    'Nothing came of the ' || case e.kind when 'drop' then 'drop request' else e.kind end
      || ': the shift was changed or removed meanwhile. ' || e.line, '/new/swaps?show=own'
  from ended e cross join lateral (select e.student_id union select e.taker_id where e.taker_id is not null) as p (account_id);
  return null;
end $$;
create trigger zy_end_changes after update on shift_assignment
  referencing old table as was new table as became for each statement execute function end_shift_requests();

-- Programs with requests whose shift has started, for the job that ends them.
create function find_programs_with_expired_changes() returns table (program_id bigint)
language sql stable security definer set search_path = public as $$
  select distinct c.program_id from shift_request c where c.state in ('open', 'pending') and c.expires_at <= now()
$$;

call add_mail_template('SHIFT_change_asked',
  '<p><strong>Shift requests.</strong> Tells coordinators that a swap, a cover or a late drop waits for approval.</p>',
  '{{change.summary}}',
  '<p>Hello {{coordinator.firstName}},</p><p>{{change.list}}</p><p><a href="{{link}}">Approve or decline</a></p>');
call add_mail_template('SHIFT_site_asked',
  '<p><strong>Shift change at a site.</strong> Sends the link by which a site approves a swap or cover.</p>',
  'Shift change at {{site.name}}: please approve or decline',
  '<p>Hello {{recipient.name}},</p><p>{{change.text}}</p><p><a href="{{link}}">Approve or decline</a></p><p>Nothing changes until you approve. The first time, we email you a code.</p>');
