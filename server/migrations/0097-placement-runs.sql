-- Runs of the solver: how far they are, and which of them nobody works on any longer.

alter table placement_draft
  drop constraint placement_draft_state_check,
  add constraint placement_draft_state_check check (state in ('queued', 'running', 'done', 'stopped', 'failed')),
  drop constraint placement_draft_wish_check,
  add constraint placement_draft_wish_check check (wish in ('', 'stop')),
  add column step integer not null default 0,
  add column steps integer not null default 0,
  add column expected_seconds integer not null default 0,
  add column seconds double precision;

-- Asked by the job without any program chosen.
create function placement_drafts_lost() returns table (program_id bigint, draft_id bigint)
  language sql stable security definer set search_path = public as $$
  select d.program_id, d.id from placement_draft d
  where d.state in ('queued', 'running') and d.beat_at < now() - interval '1 minute'
$$;
