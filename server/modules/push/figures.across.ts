import { sql } from 'kysely'
import { acrossPrograms, oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'

/** How pushes go, for whoever runs the installation: figures, and nobody's name. */
export const countPushes = async (db: Db) => {
  const figures = await oneAcrossPrograms(
    db,
    sql<{ devices: number; people: number; waiting: number; sent: number; failed: number }>`
      select count(*) as devices, count(distinct d.account_id) as people,
        (select count(*) from push_message where state = 'waiting') as waiting,
        (select count(*) from push_message where state = 'sent' and queued_at > now() - interval '7 days') as sent,
        (select count(*) from push_message where state = 'failed' and queued_at > now() - interval '7 days') as failed
      from push_device d where d.ended_at is null`,
  )
  return figures
}

/** The hosts of push services by how many devices are told through them. */
export const listPushHosts = (db: Db) =>
  acrossPrograms(
    db,
    sql<{ Host: string; DeviceCount: number }>`
      select split_part(split_part(endpoint, '://', 2), '/', 1) as "Host", count(*) as "DeviceCount"
      from push_device where ended_at is null group by 1 order by 2 desc, 1 limit 20`,
  )
