-- What evaluations come to, kept by the changes themselves: home adds up a row a day, template and site in place of
-- counting answers.

-- What the answers of named forms of a day come to. A change only adds a row with the difference, so that two people who
-- hand in at the same moment never wait for each other; a job folds the rows of a day into one. The sum over a key is right
-- at any moment, folded or not.
create table evaluation_sum (
  program_id bigint not null references program,
  date date not null,
  template_id bigint not null,
  -- 0 without a site.
  site_id bigint not null,
  answers integer not null,
  shares numeric not null,
  low integer not null,
  is_folded boolean not null default false
);
create index evaluation_sum_day on evaluation_sum (program_id, date);
create index evaluation_sum_new on evaluation_sum (program_id) where not is_folded;
call protect_by_program('evaluation_sum');

-- Answers of anonymous forms show in whole threes of an item, dated by the last of the three, so that they cannot be kept
-- apart by day: what one template came to about one subject at one site is kept as a whole.
create table evaluation_three (
  program_id bigint not null references program,
  template_id bigint not null,
  -- 0 without a subject or site.
  subject_id bigint not null,
  site_id bigint not null,
  -- Null: answers that wait until there are three.
  date date,
  answers integer not null,
  shares numeric not null,
  low integer not null
);
create index evaluation_three_day on evaluation_three (program_id, date);
create index evaluation_three_of on evaluation_three (program_id, template_id, subject_id, site_id);
call protect_by_program('evaluation_three');

-- Of which of them something changed since they were kept: until the job has kept them anew, they are counted. Rows are only
-- added, so that writers never wait for each other here.
create table evaluation_three_change (
  program_id bigint not null references program,
  template_id bigint not null,
  subject_id bigint not null,
  site_id bigint not null
);
create index evaluation_three_change_of on evaluation_three_change (program_id, template_id, subject_id, site_id);
call protect_by_program('evaluation_three_change');

-- What the anonymous answers of the groups named by `of_groups` come to. A null date: those that wait. As whoever asks.
create type evaluation_group as (template_id bigint, subject_id bigint, site_id bigint);
create function count_threes(program bigint, of_groups evaluation_group[])
  returns table (template_id bigint, subject_id bigint, site_id bigint, date date, answers integer, shares numeric, low integer)
  language sql stable as $$
  with placed as (
    select g.template_id, g.subject_id, g.site_id, e.date, a.item_id, a.scale_share, a.is_low,
      (row_number() over (partition by a.item_id, g.subject_id, g.site_id order by e.anonymous_number) - 1) / 3 as three
    from (select distinct * from unnest(of_groups)) g
    join evaluation_template t on t.program_id = program and t.id = g.template_id and t.is_anonymous
    join evaluation e on e.program_id = program and e.template_id = g.template_id and e.is_completed and e.deleted_at is null
      and e.subject_id is not distinct from nullif(g.subject_id, 0) and e.site_id is not distinct from nullif(g.site_id, 0)
    join evaluation_answer a on a.program_id = program and a.evaluation_id = e.id and a.score is not null),
  threes as (
    select *, max(p.date) over three_of as last_date, count(*) over three_of as size
    from placed p window three_of as (partition by p.item_id, p.subject_id, p.site_id, p.three))
  select t.template_id, t.subject_id, t.site_id, case when t.size = 3 then t.last_date end,
    (count(t.scale_share))::integer, coalesce(sum(t.scale_share), 0), (count(*) filter (where t.is_low and t.scale_share is not null))::integer
  from threes t group by 1, 2, 3, 4
$$;

-- Adds, or with -1 takes away, what one evaluation comes to. Anonymous ones are marked.
create function keep_evaluation(sign integer, e evaluation) returns void
  language plpgsql security definer set search_path = public as $$
begin
  if (select t.is_anonymous from evaluation_template t where t.program_id = e.program_id and t.id = e.template_id) then
    insert into evaluation_three_change (program_id, template_id, subject_id, site_id)
      values (e.program_id, e.template_id, coalesce(e.subject_id, 0), coalesce(e.site_id, 0));
  else
    insert into evaluation_sum (program_id, date, template_id, site_id, answers, shares, low)
      select e.program_id, e.date, e.template_id, coalesce(e.site_id, 0), sign * count(*), sign * sum(a.scale_share),
        sign * count(*) filter (where a.is_low)
      from evaluation_answer a
      where a.program_id = e.program_id and a.evaluation_id = e.id and a.score is not null and a.scale_share is not null
      having count(*) > 0;
  end if;
end $$;

-- Of the columns of an evaluation, those that say what it comes to and where it belongs. It has no answers when it is made.
create function keep_evaluation_sums() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if old.is_completed and old.deleted_at is null then perform keep_evaluation(-1, old); end if;
  if tg_op = 'UPDATE' and new.is_completed and new.deleted_at is null then perform keep_evaluation(1, new); end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger keep_sums after update on evaluation for each row
  when ((old.is_completed, old.deleted_at is null, old.date, old.template_id, old.subject_id, old.site_id, old.anonymous_number)
    is distinct from (new.is_completed, new.deleted_at is null, new.date, new.template_id, new.subject_id, new.site_id,
      new.anonymous_number)
    and (old.is_completed or new.is_completed))
  execute function keep_evaluation_sums();
-- Before: its answers go with it.
create trigger forget_sums before delete on evaluation for each row when (old.is_completed and old.deleted_at is null)
  execute function keep_evaluation_sums();

-- Answers that change in a completed evaluation. Its row is locked, as handing it in locks it: whoever comes second sees
-- what the first has done, and every answer is counted once.
create type answer_change as (program_id bigint, evaluation_id bigint, answers bigint, shares numeric, low bigint);
create function keep_answer_changes(changes answer_change[]) returns void
  language sql security definer set search_path = public as $$
  with locked as materialized (
    select e.program_id, e.id, e.date, e.template_id, e.subject_id, e.site_id, e.is_completed, e.deleted_at
    from evaluation e
    where (e.program_id, e.id) in (select c.program_id, c.evaluation_id from unnest(changes) c)
    order by e.program_id, e.id for no key update of e),
  -- Only after the wait is it known whether they are handed in.
  held as materialized (
    select l.*, t.is_anonymous from locked l
    join evaluation_template t on t.program_id = l.program_id and t.id = l.template_id
    where l.is_completed and l.deleted_at is null),
  named as (
    insert into evaluation_sum (program_id, date, template_id, site_id, answers, shares, low)
      select h.program_id, h.date, h.template_id, coalesce(h.site_id, 0), c.answers, c.shares, c.low
      from held h join unnest(changes) c on c.program_id = h.program_id and c.evaluation_id = h.id
      where not h.is_anonymous and (c.answers, c.shares, c.low) <> (0, 0, 0))
  insert into evaluation_three_change (program_id, template_id, subject_id, site_id)
    select distinct h.program_id, h.template_id, coalesce(h.subject_id, 0), coalesce(h.site_id, 0)
    from held h where h.is_anonymous
$$;

-- Drafts have no scores: saving them stops here.
create function keep_new_answers() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes answer_change[];
begin
  select array_agg(row(c.program_id, c.evaluation_id, c.answers, c.shares, c.low)::answer_change) into changes from (
    select program_id, evaluation_id, count(scale_share) as answers, coalesce(sum(scale_share), 0) as shares,
      count(*) filter (where is_low and scale_share is not null) as low
    from changed where score is not null group by 1, 2) c;
  if changes is not null then perform keep_answer_changes(changes); end if;
  return null;
end $$;
create function keep_gone_answers() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes answer_change[];
begin
  select array_agg(row(c.program_id, c.evaluation_id, c.answers, c.shares, c.low)::answer_change) into changes from (
    select program_id, evaluation_id, -count(scale_share) as answers, -coalesce(sum(scale_share), 0) as shares,
      -count(*) filter (where is_low and scale_share is not null) as low
    from was where score is not null group by 1, 2) c;
  if changes is not null then perform keep_answer_changes(changes); end if;
  return null;
end $$;
create function keep_changed_answers() returns trigger language plpgsql security definer set search_path = public as $$
declare
  changes answer_change[];
begin
  select array_agg(row(c.program_id, c.evaluation_id, c.answers, c.shares, c.low)::answer_change) into changes from (
    select program_id, evaluation_id, coalesce(sum(sign) filter (where scale_share is not null), 0) as answers,
      sum(sign * coalesce(scale_share, 0)) as shares,
      coalesce(sum(sign) filter (where is_low and scale_share is not null), 0) as low
    from (select 1 as sign, * from changed union all select -1, * from was) b
    where score is not null group by 1, 2) c;
  if changes is not null then perform keep_answer_changes(changes); end if;
  return null;
end $$;
create trigger keep_sums_new after insert on evaluation_answer
  referencing new table as changed for each statement execute function keep_new_answers();
create trigger keep_sums_changed after update on evaluation_answer
  referencing old table as was new table as changed for each statement execute function keep_changed_answers();
create trigger keep_sums_gone after delete on evaluation_answer
  referencing old table as was for each statement execute function keep_gone_answers();

-- Folds what changes have added into one row a key, and keeps anew the groups that were marked. Marks go before the groups
-- are counted, so that a change in between marks its group again. As owner, over all programs at once; whoever comes while
-- another does it has nothing to do.
create function fold_evaluation_sums() returns void language plpgsql security definer set search_path = public as $$
declare
  due record;
begin
  if not pg_try_advisory_xact_lock(hashtext('evaluation sums')) then return; end if;
  with new as (
    delete from evaluation_sum where not is_folded returning program_id, date, template_id, site_id, answers, shares, low),
  kept as (
    delete from evaluation_sum s using (select distinct program_id, date, template_id, site_id from new) n
    where s.is_folded and s.program_id = n.program_id and s.date = n.date and s.template_id = n.template_id
      and s.site_id = n.site_id
    returning s.program_id, s.date, s.template_id, s.site_id, s.answers, s.shares, s.low)
  insert into evaluation_sum (program_id, date, template_id, site_id, answers, shares, low, is_folded)
    select program_id, date, template_id, site_id, sum(answers), sum(shares), sum(low), true
    from (select * from new union all select * from kept) a group by 1, 2, 3, 4 having sum(answers) <> 0;
  for due in
    with gone as (delete from evaluation_three_change returning program_id, template_id, subject_id, site_id)
    select program_id, array_agg(distinct row(template_id, subject_id, site_id)::evaluation_group) as groups
    from gone group by 1
  loop
    delete from evaluation_three k where k.program_id = due.program_id
      and (k.template_id, k.subject_id, k.site_id) in (select g.template_id, g.subject_id, g.site_id from unnest(due.groups) g);
    insert into evaluation_three (program_id, template_id, subject_id, site_id, date, answers, shares, low)
      select due.program_id, t.template_id, t.subject_id, t.site_id, t.date, t.answers, t.shares, t.low
      from count_threes(due.program_id, due.groups) t;
  end loop;
end $$;

-- What there is already.
insert into evaluation_sum (program_id, date, template_id, site_id, answers, shares, low, is_folded)
  select e.program_id, e.date, e.template_id, coalesce(e.site_id, 0), count(*), sum(a.scale_share),
    count(*) filter (where a.is_low), true
  from evaluation e
  join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and not t.is_anonymous
  join evaluation_answer a on a.program_id = e.program_id and a.evaluation_id = e.id and a.score is not null
    and a.scale_share is not null
  where e.is_completed and e.deleted_at is null group by 1, 2, 3, 4;
insert into evaluation_three_change (program_id, template_id, subject_id, site_id)
  select distinct e.program_id, e.template_id, coalesce(e.subject_id, 0), coalesce(e.site_id, 0)
  from evaluation e
  join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and t.is_anonymous
  where e.is_completed and e.deleted_at is null;
select fold_evaluation_sums();
