-- What a directory says of somebody is written by nobody else until staff take it over, and by the directory no longer from then on.
alter table scim_user add column kept text[] not null default '{}';

-- Which fields of people a directory says, by our names of them, and which of those staff have taken over. Rosters add people and say
-- nothing of them later.
create view directory_field with (security_invoker = true) as
  select s.program_id, s.account_id, string_agg(distinct v.name, ' and ') as directory,
    array_agg(distinct f.name order by f.name) as fields,
    coalesce(array_agg(distinct f.name) filter (where f.name = any (s.kept)), '{}') as kept
  from scim_user s join saml_provider v on v.id = s.provider_id and v.deleted_at is null and v.kind <> 'lti'
  cross join lateral unnest(s.told) f (name)
  where s.deleted_at is null
  group by s.program_id, s.account_id;
grant select on directory_field to app;
