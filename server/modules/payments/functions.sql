call read_across('payment_arrangement', 'program_id, id, starts_on, ends_on, is_exempt, evidence_file_id, deleted_at');

create or replace function keep_invoice() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'an invoice is never deleted'; end if;
  if old.voided_at is not null then raise exception 'a void invoice is never changed'; end if;
  if to_jsonb(new) - '{voided_at,voided_by,void_reason}'::text[]
    is distinct from to_jsonb(old) - '{voided_at,voided_by,void_reason}'::text[] then
    raise exception 'an invoice is never changed';
  end if;
  return new;
end $$;
