import { sql } from 'kysely'
import type pg from 'pg'
import { oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Who is there at this moment, who was there today in a time zone, and how many students there are. */
export const countPeople = async (db: Db, timeZone: string) => {
  const counts = await oneAcrossPrograms(
    db,
    sql<{ Online: number; SignedInToday: number; Students: number }>`
      select (select count(distinct account_id) from session
          where ended_at is null and last_seen_at > now() - interval '15 minutes') as "Online",
        (select count(*) from account_seen where last_seen_at >= date_trunc('day', now(), ${timeZone})) as "SignedInToday",
        (select count(*) from account a join program p on p.id = a.program_id and p.deleted_at is null
          where a.access_level = 39 and a.deactivated_at is null and a.deleted_at is null) as "Students"`,
  )
  return counts
}

/**
 * What waits for other systems, and how many of each kind of outside part do not work at this moment, for whoever watches the installation.
 * A connection or webhook fails while its last error is later than its last success; a directory, while its last call that failed is within
 * the hour; a checked part, while its last check failed, unless nothing has checked it for an hour: it was taken away, or the worker was.
 */
export const readOutsideParts = async (pool: pg.Pool) => {
  const parts = await oneAcrossPrograms(
    pool,
    sql<{
      webhooks: number
      webhook_age: number
      event_age: number
      certificate_days: number | null
      failing: { part: string; failing: number }[]
    }>`
      select w.*, coalesce(extract(epoch from now() - (select e.at from domain_event e
          where e.transaction >= (select min(c.transaction) from event_cursor c) order by e.transaction, e.id limit 1)), 0)::float8 as event_age,
        (select (c.figures ->> 'certificateDays')::float8 from system_check c where c.part = 'https') as certificate_days,
        (select json_agg(f) from (
          select k.kind as part, count(s.provider_id) as failing
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
          union all
          select 'push', count(*) from push_service p
          where p.is_on and p.last_error_at > coalesce(p.last_success_at, '-infinity')
          union all
          select c.part, count(*) filter (where c.last_error_at > coalesce(c.last_success_at, '-infinity'))
          from system_check c where greatest(c.last_success_at, c.last_error_at) > now() - interval '1 hour' group by c.part) f) as failing
      from (select count(*) as webhooks, coalesce(extract(epoch from now() - min(v.at)), 0)::float8 as webhook_age
        from webhook_delivery d
        join webhook_event v on v.program_id = d.program_id and v.id = d.event_id
        join webhook_endpoint e on e.program_id = d.program_id and e.id = d.endpoint_id and e.is_enabled and e.deleted_at is null
        where d.state = 'waiting') w`,
  )
  return parts
}
