-- Results of evaluations (product 3.6): what an answer is worth on its scale, and anonymous forms that nobody can single out.

alter table evaluation_answer
  -- Where the score stood on its scale when the form was handed in, 0 the lowest and 1 the highest: what lets items of
  -- different scales be added up. Null for N/A and for scales of one value.
  add scale_share numeric(5, 4) check (scale_share between 0 and 1),
  -- The lowest of its scale, or a score that asks for a comment.
  add is_low boolean not null default false;

-- Anonymous forms in the order in which they were handed in, counted for each template: results show them in whole threes.
alter table evaluation add anonymous_number integer;
create unique index evaluation_anonymous on evaluation (program_id, template_id, anonymous_number)
  where anonymous_number is not null;

alter table evaluation_template add is_shown_to_subject boolean not null default true;

with value as (
  select f.program_id, f.id as form_id, (i ->> 'Id')::bigint as item_id, (v ->> 'Id')::bigint as score_value_id,
    (v ->> 'Value')::numeric as value, (v ->> 'NeedsComment')::boolean as needs_comment,
    min((v ->> 'Value')::numeric) over item as lowest, max((v ->> 'Value')::numeric) over item as highest
  from evaluation_form f
  cross join lateral jsonb_array_elements(f.content -> 'Items') as i
  join lateral jsonb_array_elements(f.content -> 'ScoreTypes') as s on s ->> 'Id' = i ->> 'ScoreTypeId'
  cross join lateral jsonb_array_elements(s -> 'Values') as v
  window item as (partition by f.program_id, f.id, i ->> 'Id')
)
update evaluation_answer a set
  scale_share = case when value.highest > value.lowest then (value.value - value.lowest) / (value.highest - value.lowest) end,
  is_low = value.needs_comment or (value.highest > value.lowest and value.value = value.lowest)
from evaluation e
join value on value.program_id = e.program_id and value.form_id = e.form_id
where a.program_id = e.program_id and a.evaluation_id = e.id and a.item_id = value.item_id
  and a.score_value_id = value.score_value_id and value.value is not null;

drop trigger touch on evaluation;
update evaluation e set anonymous_number = n.number from (
  select e.program_id, e.id, row_number() over (partition by e.program_id, e.template_id order by e.submitted_at, e.id) as number
  from evaluation e join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and t.is_anonymous
  where e.is_completed) n
where e.program_id = n.program_id and e.id = n.id;

-- Of an anonymous form the day is kept and never the moment, by which somebody could be found out.
create function touch_evaluation() returns trigger language plpgsql as $$
begin
  new.updated_at := case when exists (
      select from evaluation_template t where t.program_id = new.program_id and t.id = new.template_id and t.is_anonymous)
    then date_trunc('day', now()) else now() end;
  new.updated_by := coalesce(current_account(), new.updated_by);
  return new;
end $$;

update evaluation e set updated_at = date_trunc('day', e.updated_at) from evaluation_template t
  where t.program_id = e.program_id and t.id = e.template_id and t.is_anonymous;
update evaluation_answer a set answered_at = date_trunc('day', a.answered_at)
  from evaluation e join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id and t.is_anonymous
  where a.program_id = e.program_id and a.evaluation_id = e.id;
update evaluation_form set made_at = date_trunc('day', made_at) where (content ->> 'IsAnonymous')::boolean;
create trigger touch before update on evaluation for each row execute function touch_evaluation();
