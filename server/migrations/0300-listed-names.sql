-- A person's name as lists have it: the last name first, and a name of one word as it is.
create function listed_name(last_name text, first_name text) returns text language sql immutable parallel safe as $$
  select case when last_name = '' then first_name when first_name = '' then last_name else last_name || ', ' || first_name end
$$;
