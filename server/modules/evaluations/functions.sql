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

create or replace function keep_evaluation(sign integer, e evaluation) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if (select t.is_anonymous from evaluation_template t where t.program_id = e.program_id and t.id = e.template_id) then
    insert into evaluation_three_change (program_id, template_id, subject_id, site_id)
      values (e.program_id, e.template_id, coalesce(e.subject_id, 0), coalesce(e.site_id, 0));
  else
    insert into evaluation_change
      select e.program_id, e.date, e.template_id, coalesce(e.subject_id, 0), coalesce(e.site_id, 0), a.item_id, f.*
      from evaluation_answer a cross join lateral answer_figures(sign, a.score, a.scale_share, a.is_low) f
      where a.program_id = e.program_id and a.evaluation_id = e.id and a.score is not null and a.scale_share is not null;
  end if;
end $$;

-- Of the columns of an evaluation, those that say what it comes to and where it belongs. It has no answers when it is made.
create or replace function keep_evaluation_sums() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if old.is_completed and old.deleted_at is null then perform keep_evaluation(-1, old); end if;
  if new.is_completed and new.deleted_at is null then perform keep_evaluation(1, new); end if;
  return new;
end $$;

-- Drafts have no scores: saving them stops here.
create or replace function keep_answers() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changes answer_change[];
begin
  if tg_op <> 'INSERT' then
    select array_agg(row(-1, program_id, evaluation_id, item_id, score, scale_share, is_low)::answer_change) into changes
      from was where score is not null;
  end if;
  if tg_op <> 'DELETE' then
    select changes || array_agg(row(1, program_id, evaluation_id, item_id, score, scale_share, is_low)::answer_change) into changes
      from changed where score is not null;
  end if;
  if changes is not null then perform keep_answer_changes(changes); end if;
  return null;
end $$;

-- Marks go before their groups are counted, so that a change in between marks its group again. A row whose answers have all
-- gone stays with zeros. As owner, over all programs at once; whoever comes while another does it has nothing to do.
create or replace function fold_evaluation_sums() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  due record;
begin
  if not pg_try_advisory_xact_lock(hashtext('evaluation sums')) then return; end if;
  with new as (delete from evaluation_change returning *),
  days as (
    insert into evaluation_sum as k (program_id, date, template_id, site_id, answers, shares, low)
      select program_id, date, template_id, site_id, sum(answers), sum(shares), sum(low) from new group by 1, 2, 3, 4
      on conflict (program_id, date, template_id, site_id) do update set answers = k.answers + excluded.answers,
        shares = k.shares + excluded.shares, low = k.low + excluded.low),
  items as (
    insert into evaluation_item_day as k
      select program_id, date, item_id, sum(answers), sum(scores), sum(shares), sum(low), sum(fifth_1), sum(fifth_2),
        sum(fifth_3), sum(fifth_4), sum(fifth_5)
      from new group by 1, 2, 3
      on conflict (program_id, date, item_id) do update set answers = k.answers + excluded.answers,
        scores = k.scores + excluded.scores, shares = k.shares + excluded.shares, low = k.low + excluded.low,
        fifth_1 = k.fifth_1 + excluded.fifth_1, fifth_2 = k.fifth_2 + excluded.fifth_2, fifth_3 = k.fifth_3 + excluded.fifth_3,
        fifth_4 = k.fifth_4 + excluded.fifth_4, fifth_5 = k.fifth_5 + excluded.fifth_5)
  insert into evaluation_item_month as k
    select program_id, subject_id, site_id, date_trunc('month', date)::date, item_id, sum(answers), sum(scores), sum(shares),
      sum(low), sum(fifth_1), sum(fifth_2), sum(fifth_3), sum(fifth_4), sum(fifth_5)
    from new group by 1, 2, 3, 4, 5
    on conflict (program_id, subject_id, site_id, month, item_id) do update set answers = k.answers + excluded.answers,
      scores = k.scores + excluded.scores, shares = k.shares + excluded.shares, low = k.low + excluded.low,
      fifth_1 = k.fifth_1 + excluded.fifth_1, fifth_2 = k.fifth_2 + excluded.fifth_2, fifth_3 = k.fifth_3 + excluded.fifth_3,
      fifth_4 = k.fifth_4 + excluded.fifth_4, fifth_5 = k.fifth_5 + excluded.fifth_5;
  for due in
    with gone as (delete from evaluation_three_change returning program_id, template_id, subject_id, site_id)
    select program_id, array_agg(distinct row(template_id, subject_id, site_id)::evaluation_group) as groups
    from gone group by 1
  loop
    delete from evaluation_three k where k.program_id = due.program_id
      and (k.template_id, k.subject_id, k.site_id) in (select g.template_id, g.subject_id, g.site_id from unnest(due.groups) g);
    insert into evaluation_three (program_id, template_id, subject_id, site_id, item_id, date, answers, scores, shares, low,
        fifth_1, fifth_2, fifth_3, fifth_4, fifth_5)
      select due.program_id, t.template_id, t.subject_id, t.site_id, t.item_id, t.date, t.answers, t.scores, t.shares, t.low,
        t.fifth_1, t.fifth_2, t.fifth_3, t.fifth_4, t.fifth_5
      from count_threes(due.program_id, due.groups) t;
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

create or replace function keep_answer_changes(changes answer_change[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  with locked as materialized (
    select e.program_id, e.id, e.date, e.template_id, e.subject_id, e.site_id, e.is_completed, e.deleted_at
    from evaluation e
    where (e.program_id, e.id) in (select c.program_id, c.evaluation_id from unnest(changes) c)
    order by e.program_id, e.id for no key update of e),
  -- Only after the wait is it known whether they are submitted.
  held as materialized (
    select l.*, t.is_anonymous from locked l
    join evaluation_template t on t.program_id = l.program_id and t.id = l.template_id
    where l.is_completed and l.deleted_at is null),
  named as (
    insert into evaluation_change
      select h.program_id, h.date, h.template_id, coalesce(h.subject_id, 0), coalesce(h.site_id, 0), c.item_id, f.*
      from held h join unnest(changes) c on c.program_id = h.program_id and c.evaluation_id = h.id
      cross join lateral answer_figures(c.sign, c.score, c.scale_share, c.is_low) f
      where not h.is_anonymous and c.scale_share is not null)
  insert into evaluation_three_change (program_id, template_id, subject_id, site_id)
    select distinct h.program_id, h.template_id, coalesce(h.subject_id, 0), coalesce(h.site_id, 0)
    from held h where h.is_anonymous
$$;

