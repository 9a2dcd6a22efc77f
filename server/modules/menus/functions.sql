-- Whether a new session of the account begins with the semi-hidden menu (D1-178).
create or replace function begins_with_hidden_menu(of_account bigint) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select not coalesce((select (preferences ->> 'IsMenuShown')::boolean from account where id = of_account), false)
$$;
