call read_across('evaluation_link', 'program_id, evaluation_id, token_hash, ended_at');
call read_across('evaluation', 'program_id, id, submitted_at, end_date, is_completed, stopped_at, deleted_at');

-- Of an anonymous form the day is kept and never the moment, by which somebody could be found out.
create or replace function touch_evaluation() returns trigger language plpgsql as $$
begin
  new.updated_at := case when exists (
      select from evaluation_template t where t.program_id = new.program_id and t.id = new.template_id and t.is_anonymous)
    then date_trunc('day', now()) else now() end;
  new.updated_by := coalesce(current_account(), new.updated_by);
  return new;
end $$;

-- Of the columns of an evaluation, those that say what it comes to and where it belongs. It has no answers when it is made.
create or replace function keep_evaluation_sums() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes answer_change[];
begin
  select array_agg(row(e.program_id, e.template_id, t.is_anonymous, coalesce(e.subject_id, 0), coalesce(e.site_id, 0), e.date,
      a.item_id, e.sign, a.score, a.scale_share, a.is_low)::answer_change) into changes
    from (
      select program_id, id, template_id, subject_id, site_id, date, sum(sign) as sign from (
        select program_id, id, template_id, subject_id, site_id, date, anonymous_number, -1 as sign from was
          where is_completed and deleted_at is null
        union all
        select program_id, id, template_id, subject_id, site_id, date, anonymous_number, 1 from changed
          where is_completed and deleted_at is null) c
      group by 1, 2, 3, 4, 5, 6, anonymous_number having sum(sign) <> 0) e
    join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
    join evaluation_answer a on a.program_id = e.program_id and a.evaluation_id = e.id and a.score is not null;
  if changes is not null then perform keep_answer_changes(changes); end if;
  return null;
end $$;

-- Drafts have no scores: saving them stops here.
create or replace function keep_answers() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone evaluation_answer[];
  added evaluation_answer[];
  changes answer_change[];
begin
  if tg_op <> 'INSERT' then select array_agg(w) into gone from was w where w.score is not null; end if;
  if tg_op <> 'DELETE' then select array_agg(c) into added from changed c where c.score is not null; end if;
  if gone is null and added is null then return null; end if;
  -- Only after the wait is it known whether they are submitted.
  perform from evaluation e
    where (e.program_id, e.id) in (select a.program_id, a.evaluation_id from unnest(gone || added) a)
    order by e.program_id, e.id for no key update of e;
  select array_agg(row(e.program_id, e.template_id, t.is_anonymous, coalesce(e.subject_id, 0), coalesce(e.site_id, 0), e.date,
      a.item_id, a.sign, a.score, a.scale_share, a.is_low)::answer_change) into changes
    from (select -1 as sign, g.* from unnest(gone) g union all select 1, n.* from unnest(added) n) a
    join evaluation e on e.program_id = a.program_id and e.id = a.evaluation_id and e.is_completed and e.deleted_at is null
    join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id;
  if changes is not null then perform keep_answer_changes(changes); end if;
  return null;
end $$;

-- One transaction of a program after the other, each until its commit: whoever counts threes sees what the one before has committed.
create or replace function keep_answer_changes(changes answer_change[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  due record;
begin
  perform pg_advisory_xact_lock(hashtextextended('evaluation-sums:' || p.program_id, 0))
    from (select distinct c.program_id from unnest(changes) c order by 1) p;
  with new as materialized (
    select c.program_id, c.template_id, c.subject_id, c.site_id, c.date, c.item_id, f.*
    from unnest(changes) c cross join lateral answer_figures(c.sign, c.score, c.scale_share, c.is_low) f
    where not c.is_anonymous and c.scale_share is not null),
  days as (
    insert into evaluation_sum as k (program_id, date, template_id, site_id, answers, shares, low)
      select program_id, date, template_id, site_id, sum(answers), sum(shares), sum(low) from new group by 1, 2, 3, 4
      having (sum(answers), sum(shares), sum(low)) <> (0, 0, 0) order by 1, 2, 3, 4
      on conflict (program_id, date, template_id, site_id) do update set answers = k.answers + excluded.answers,
        shares = k.shares + excluded.shares, low = k.low + excluded.low),
  items as (
    insert into evaluation_item_day as k
      select program_id, date, item_id, sum(answers), sum(scores), sum(shares), sum(low), sum(fifth_1), sum(fifth_2),
        sum(fifth_3), sum(fifth_4), sum(fifth_5)
      from new group by 1, 2, 3 order by 1, 2, 3
      on conflict (program_id, date, item_id) do update set answers = k.answers + excluded.answers,
        scores = k.scores + excluded.scores, shares = k.shares + excluded.shares, low = k.low + excluded.low,
        fifth_1 = k.fifth_1 + excluded.fifth_1, fifth_2 = k.fifth_2 + excluded.fifth_2, fifth_3 = k.fifth_3 + excluded.fifth_3,
        fifth_4 = k.fifth_4 + excluded.fifth_4, fifth_5 = k.fifth_5 + excluded.fifth_5)
  insert into evaluation_item_month as k
    select program_id, subject_id, site_id, date_trunc('month', date)::date, item_id, sum(answers), sum(scores), sum(shares),
      sum(low), sum(fifth_1), sum(fifth_2), sum(fifth_3), sum(fifth_4), sum(fifth_5)
    from new group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (program_id, subject_id, site_id, month, item_id) do update set answers = k.answers + excluded.answers,
      scores = k.scores + excluded.scores, shares = k.shares + excluded.shares, low = k.low + excluded.low,
      fifth_1 = k.fifth_1 + excluded.fifth_1, fifth_2 = k.fifth_2 + excluded.fifth_2, fifth_3 = k.fifth_3 + excluded.fifth_3,
      fifth_4 = k.fifth_4 + excluded.fifth_4, fifth_5 = k.fifth_5 + excluded.fifth_5;
  for due in
    select c.program_id, array_agg(distinct row(c.template_id, c.subject_id, c.site_id)::evaluation_group) as groups
    from unnest(changes) c where c.is_anonymous group by 1 order by 1
  loop
    with counted as materialized (select * from count_threes(due.program_id, due.groups)),
    gone as (
      delete from evaluation_three k using unnest(due.groups) g
      where k.program_id = due.program_id and k.template_id = g.template_id and k.subject_id = g.subject_id and k.site_id = g.site_id
        and not exists (select from counted c where c.template_id = k.template_id and c.subject_id = k.subject_id
          and c.site_id = k.site_id and c.item_id = k.item_id and c.date is not distinct from k.date))
    insert into evaluation_three as k (program_id, template_id, subject_id, site_id, item_id, date, answers, scores, shares, low,
        fifth_1, fifth_2, fifth_3, fifth_4, fifth_5)
      select due.program_id, c.* from counted c
      on conflict (program_id, template_id, subject_id, site_id, item_id, date) do update set answers = excluded.answers,
        scores = excluded.scores, shares = excluded.shares, low = excluded.low, fifth_1 = excluded.fifth_1,
        fifth_2 = excluded.fifth_2, fifth_3 = excluded.fifth_3, fifth_4 = excluded.fifth_4, fifth_5 = excluded.fifth_5
      where k.* is distinct from excluded.*;
  end loop;
end $$;

-- What one answer adds, or with -1 takes away. Scores are kept in hundredths and shares in ten-thousandths, as fine as the
-- answers have them: whole numbers add up exactly, and several times as fast.
create or replace function answer_figures(sign integer, score numeric, share numeric, is_low boolean)
  returns table (answers integer, scores bigint, shares integer, low integer,
    fifth_1 integer, fifth_2 integer, fifth_3 integer, fifth_4 integer, fifth_5 integer)
  language sql immutable as $$
  select sign, sign * (score * 100)::bigint, sign * (share * 10000)::integer, case when is_low then sign else 0 end,
    case when share < 0.2 then sign else 0 end, case when share >= 0.2 and share < 0.4 then sign else 0 end,
    case when share >= 0.4 and share < 0.6 then sign else 0 end, case when share >= 0.6 and share < 0.8 then sign else 0 end,
    case when share >= 0.8 then sign else 0 end
$$;

create or replace function count_threes(program bigint, of_groups evaluation_group[])
  returns table (template_id bigint, subject_id bigint, site_id bigint, item_id bigint, date date, answers integer, scores bigint,
    shares integer, low integer, fifth_1 integer, fifth_2 integer, fifth_3 integer, fifth_4 integer, fifth_5 integer)
  language sql stable as $$
  with placed as (
    select g.template_id, g.subject_id, g.site_id, e.date, a.item_id, a.score, a.scale_share, a.is_low,
      (row_number() over (partition by a.item_id, g.subject_id, g.site_id order by e.anonymous_number) - 1) / 3 as three
    from (select distinct * from unnest(of_groups)) g
    join evaluation_template t on t.program_id = program and t.id = g.template_id and t.is_anonymous
    join evaluation e on e.program_id = program and e.template_id = g.template_id and e.is_completed and e.deleted_at is null
      and e.subject_id is not distinct from nullif(g.subject_id, 0) and e.site_id is not distinct from nullif(g.site_id, 0)
    join evaluation_answer a on a.program_id = program and a.evaluation_id = e.id and a.score is not null),
  threes as (
    select *, max(p.date) over three_of as last_date, count(*) over three_of as size
    from placed p window three_of as (partition by p.item_id, p.subject_id, p.site_id, p.three))
  select t.template_id, t.subject_id, t.site_id, t.item_id, case when t.size = 3 then t.last_date end,
    coalesce(sum(f.answers), 0)::integer, coalesce(sum(f.scores), 0)::bigint, coalesce(sum(f.shares), 0)::integer,
    coalesce(sum(f.low), 0)::integer, coalesce(sum(f.fifth_1), 0)::integer, coalesce(sum(f.fifth_2), 0)::integer,
    coalesce(sum(f.fifth_3), 0)::integer, coalesce(sum(f.fifth_4), 0)::integer, coalesce(sum(f.fifth_5), 0)::integer
  from threes t
  -- A score on a scale of one value is part of a three and counts for nothing.
  left join lateral answer_figures(1, t.score, t.scale_share, t.is_low) f on t.scale_share is not null
  group by 1, 2, 3, 4, 5
$$;
