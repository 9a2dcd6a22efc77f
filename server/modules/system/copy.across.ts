import { sql } from 'kysely'
import { acrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** What waits in a restored copy, by kind: all of it, and what was due before the backup was made. */
export const countWaitingInCopy = (db: Db) =>
  acrossPrograms(
    db,
    sql<{ kind: 'mail' | 'webhook' | 'push'; waiting: number; before_backup: number }>`
      select 'mail' as kind, count(*) as waiting,
        count(*) filter (where m.created_at <= c.backup_at and m.send_after <= now()) as before_backup
      from mail m cross join restored_copy c where m.status in (1, 2)
      union all
      select 'webhook', count(*), count(*) filter (where v.at <= c.backup_at)
      from webhook_delivery d join webhook_event v on v.program_id = d.program_id and v.id = d.event_id
      cross join restored_copy c where d.state = 'waiting'
      union all
      select 'push', count(*), count(*) filter (where p.queued_at <= c.backup_at)
      from push_message p cross join restored_copy c where p.state = 'waiting'`,
  )
