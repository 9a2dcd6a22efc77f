-- A form that anyone with its link answers is anonymous: nothing of it tells one answer from another.
create temporary table opened on commit drop as
  select program_id, id from evaluation_template where evaluator_role = 'anonymous' and not is_anonymous;
update evaluation_template t set is_anonymous = true from opened o where t.program_id = o.program_id and t.id = o.id;
update evaluation_form f set content = jsonb_set(f.content, '{IsAnonymous}', 'true'), made_at = date_trunc('day', f.made_at)
  from opened o where f.program_id = o.program_id and f.template_id = o.id;
update evaluation e set anonymous_number = n.number, submitted_at = date_trunc('day', e.submitted_at), signed_name = ''
  from (select e.program_id, e.id, row_number() over (partition by e.program_id, e.template_id order by e.submitted_at, e.id) as number
    from evaluation e join opened o on o.program_id = e.program_id and o.id = e.template_id where e.is_completed) n
  where e.program_id = n.program_id and e.id = n.id;
update evaluation_answer a set answered_at = date_trunc('day', a.answered_at)
  from evaluation e join opened o on o.program_id = e.program_id and o.id = e.template_id
  where a.program_id = e.program_id and a.evaluation_id = e.id;
do $$
declare of_program bigint;
begin
  for of_program in select distinct program_id from opened loop
    perform recount_evaluation_sums(of_program);
  end loop;
end $$;
alter table evaluation_template add constraint anyone_is_anonymous check (evaluator_role <> 'anonymous' or is_anonymous);

-- An event at the moment when an anonymous form comes in would tell whose it is.
drop trigger webhook_completed on evaluation;
create trigger webhook_completed after update on evaluation for each row
  when (new.is_completed and not old.is_completed and new.anonymous_number is null)
  execute function webhook_of_state('evaluation.completed');
