-- The clock-out of a pair holds its hours; a clock-out without a clock-in has none.
update time_record r set minutes = 0, clock_minutes = null, meal_minutes = 0
where r.kind = 'out' and r.minutes > 0 and r.deleted_at is null and not exists (
  select from time_record q where q.program_id = r.program_id and q.id = r.partner_id and q.partner_id = r.id)
  and (r.partner_id is null or r.status = 'rejected');
