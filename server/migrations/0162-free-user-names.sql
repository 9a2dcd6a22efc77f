-- A user name of a stem and a number that nobody has, found by halves: reading all names of a stem took longer with each of the thousands
-- that a directory sends at once. Without gaps it is the lowest number; else the one after some that are taken.
create function free_user_name(stem text) returns text language plpgsql stable security definer set search_path = public as $$
declare
  taken bigint := 1;
  free bigint := 2;
  middle bigint;
begin
  if not is_user_name_taken(stem) then return stem; end if;
  while is_user_name_taken(stem || free) loop
    taken := free;
    free := free * 2;
  end loop;
  while free - taken > 1 loop
    middle := (taken + free) / 2;
    if is_user_name_taken(stem || middle) then taken := middle; else free := middle; end if;
  end loop;
  return stem || free;
end $$;
