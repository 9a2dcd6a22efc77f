-- A device travels: the countries that an account has had are all of those of its devices, not the last of each.
alter table known_device add countries text[] not null default '{}';
update known_device set countries = array[country] where country is not null;
alter table known_device drop column country;

create or replace function note_device(of_account bigint, hash bytea, from_country text) returns table (is_new_device boolean, is_new_country boolean)
language plpgsql volatile security definer set search_path = public as $$
begin
  return query select
    exists (select from known_device k where k.account_id = of_account)
      and not exists (select from known_device k where k.account_id = of_account and k.device_hash = hash),
    from_country is not null and exists (select from known_device k where k.account_id = of_account and k.countries <> '{}')
      and not exists (select from known_device k where k.account_id = of_account and from_country = any (k.countries));
  insert into known_device as k (account_id, device_hash, countries) values (of_account, hash, array_remove(array[from_country], null))
  on conflict (account_id, device_hash) do update set last_seen_at = now(),
    countries = case when excluded.countries <@ k.countries then k.countries else k.countries || excluded.countries end;
end
$$;
