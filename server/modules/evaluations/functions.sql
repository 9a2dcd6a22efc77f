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
      a.item_id, e.sign, a.score, a.scale_share, a.is_low, e.anonymous_number)::answer_change) into changes
    from (
      select program_id, id, template_id, subject_id, site_id, date, anonymous_number, sum(sign) as sign from (
        select program_id, id, template_id, subject_id, site_id, date, anonymous_number, -1 as sign from was
          where is_completed and deleted_at is null
        union all
        select program_id, id, template_id, subject_id, site_id, date, anonymous_number, 1 from changed
          where is_completed and deleted_at is null) c
      group by 1, 2, 3, 4, 5, 6, 7 having sum(sign) <> 0) e
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
      a.item_id, a.sign, a.score, a.scale_share, a.is_low, null)::answer_change) into changes
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
  counted evaluation_three[];
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
    select c.program_id, row(c.template_id, c.subject_id, c.site_id)::evaluation_group as of_group,
      -- An evaluation that comes after all others of its form adds to what waits; whatever else changes has its group counted anew.
      case when bool_and(c.sign = 1) and min(c.number) = (select max(e.anonymous_number) from evaluation e
          where e.program_id = c.program_id and e.template_id = c.template_id)
        then min(c.number) - 1 else 0 end as since
    from unnest(changes) c where c.is_anonymous group by c.program_id, c.template_id, c.subject_id, c.site_id order by 1, 2
  loop
    select array_agg(t) into counted from count_threes(due.program_id, array[due.of_group], due.since) t;
    delete from evaluation_three k
      where k.program_id = due.program_id and k.template_id = (due.of_group).template_id and k.subject_id = (due.of_group).subject_id
        and k.site_id = (due.of_group).site_id and (k.waiting > 0 or due.since = 0);
    insert into evaluation_three as k select * from unnest(counted)
      on conflict (program_id, template_id, subject_id, site_id, item_id, date, waiting) do update set answers = k.answers + excluded.answers,
        scores = k.scores + excluded.scores, shares = k.shares + excluded.shares, low = k.low + excluded.low,
        fifth_1 = k.fifth_1 + excluded.fifth_1, fifth_2 = k.fifth_2 + excluded.fifth_2, fifth_3 = k.fifth_3 + excluded.fifth_3,
        fifth_4 = k.fifth_4 + excluded.fifth_4, fifth_5 = k.fifth_5 + excluded.fifth_5;
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

-- What the anonymous answers of these groups come to in threes; `since` a number, what is kept as waiting with the answers after it.
create or replace function count_threes(program bigint, of_groups evaluation_group[], since integer default 0) returns setof evaluation_three
  language sql stable as $$
  with added as (
    select g.template_id, g.subject_id, g.site_id, a.item_id, e.date, e.anonymous_number as number, 1 as size, f.*
    from (select distinct * from unnest(of_groups)) g
    join evaluation_template t on t.program_id = program and t.id = g.template_id and t.is_anonymous
    join evaluation e on e.program_id = program and e.template_id = g.template_id and e.is_completed and e.deleted_at is null
      and e.anonymous_number > since
      and e.subject_id is not distinct from nullif(g.subject_id, 0) and e.site_id is not distinct from nullif(g.site_id, 0)
    join evaluation_answer a on a.program_id = program and a.evaluation_id = e.id and a.score is not null
    -- A score on a scale of one value is part of a three and counts for nothing.
    left join lateral answer_figures(1, a.score, a.scale_share, a.is_low) f on a.scale_share is not null
    union all
    select w.template_id, w.subject_id, w.site_id, w.item_id, w.date, 0, w.waiting, w.answers, w.scores, w.shares, w.low,
      w.fifth_1, w.fifth_2, w.fifth_3, w.fifth_4, w.fifth_5
    from unnest(of_groups) g
    join evaluation_three w on w.program_id = program and w.template_id = g.template_id and w.subject_id = g.subject_id
      and w.site_id = g.site_id and w.waiting > 0
    where since > 0),
  placed as (
    select *, (sum(size) over (partition by template_id, subject_id, site_id, item_id order by number) - 1) / 3 as three from added),
  threes as (
    select template_id, subject_id, site_id, item_id, max(date) as date, case when sum(size) = 3 then 0 else sum(size) end as waiting,
      coalesce(sum(answers), 0) as answers, coalesce(sum(scores), 0) as scores, coalesce(sum(shares), 0) as shares,
      coalesce(sum(low), 0) as low, coalesce(sum(fifth_1), 0) as fifth_1, coalesce(sum(fifth_2), 0) as fifth_2,
      coalesce(sum(fifth_3), 0) as fifth_3, coalesce(sum(fifth_4), 0) as fifth_4, coalesce(sum(fifth_5), 0) as fifth_5
    from placed group by template_id, subject_id, site_id, item_id, three)
  select program, template_id, subject_id, site_id, item_id, date, waiting::smallint, sum(answers)::integer, sum(scores)::bigint,
    sum(shares)::integer, sum(low)::integer, sum(fifth_1)::integer, sum(fifth_2)::integer, sum(fifth_3)::integer, sum(fifth_4)::integer,
    sum(fifth_5)::integer
  from threes group by 2, 3, 4, 5, 6, 7
$$;
