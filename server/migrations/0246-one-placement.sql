-- What graduates do is counted from the rows of graduates alone. What somebody told about their work goes there at once; what was
-- told before, and later than staff changed the row, is brought along.
update graduate g set
  placement = case e.status when 'other' then 'otherField' else e.status end,
  started_work_on = case when e.status in ('field', 'other') then e.start_date end
from employment e
where e.program_id = g.program_id and e.account_id = g.account_id and g.graduated_on is not null and g.deleted_at is null
  and e.status <> 'notSeeking' and (g.placement is null or e.updated_at > g.updated_at);
