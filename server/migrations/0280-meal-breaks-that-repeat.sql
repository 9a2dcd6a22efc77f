-- A rule may take the meal break off again after as many hours each: shifts of 12 to 24 hours have more than one
-- (contract/time/rules-of-hours.ts).
create or replace function meal_break(rules jsonb, of_date date, length_minutes integer) returns smallint language sql immutable as $$
  select coalesce((
    select case when length_minutes <= b.after then 0
      else least(b.minutes * case when b.repeats and b.after > 0 then ceil(length_minutes / b.after) - 1 else 1 end, length_minutes) end::smallint
    from jsonb_array_elements(rules) r
    cross join lateral (select (r.value ->> 'MealAfterHours')::numeric * 60 as after, (r.value ->> 'MealMinutes')::integer as minutes,
      coalesce((r.value ->> 'MealRepeats')::boolean, false) as repeats) b
    where (r.value ->> 'From')::date <= of_date
    order by (r.value ->> 'From')::date desc limit 1), 0::smallint)
$$;
