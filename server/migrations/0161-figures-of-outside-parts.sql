-- How many of each kind of outside part do not work at this moment, for whoever watches the installation. A connection or webhook fails
-- while its last error is later than its last success; a directory, while its last call that failed is within the hour.
create function count_failing_parts() returns table (part text, failing bigint)
  language sql stable security definer set search_path = public as $$
  select k.kind, count(s.provider_id)
  from (values ('saml'), ('oidc'), ('lti')) k (kind)
  left join saml_provider v on v.kind = k.kind and v.deleted_at is null
  left join college_connection_state s on s.provider_id = v.id
    and s.last_error_at > coalesce(s.last_success_at, '-infinity')
  group by k.kind
  union all
  select 'scim', count(*) from scim_connection c
  join saml_provider v on v.id = c.provider_id and v.deleted_at is null
  where c.last_error_at > now() - interval '1 hour'
  union all
  select 'webhook', count(*) from webhook_endpoint w
  where w.deleted_at is null and w.is_enabled and w.last_error_at > coalesce(w.last_success_at, '-infinity')
  union all
  select 'webhook switched off', count(*) from webhook_endpoint w
  where w.deleted_at is null and not w.is_enabled and w.disabled_reason <> ''
  union all
  select e.part, count(m.id) from (values ('email'), ('inbox email')) e (part)
  left join mail m on m.status = 4 and m.blocked_at is null and m.cancelled_at is null
    and m.created_at > now() - interval '1 day' and (m.label = 'INBOX_weekly') = (e.part = 'inbox email')
  group by e.part
$$;
