import { sql } from 'kysely'
import type { Feature } from '#contract/communication/unused-features.ts'
import type { Db } from '#server/core/database/pool.ts'

/** Keeps that guides were mailed just now. */
export const insertGuideEmails = async (
  db: Db,
  programId: number,
  mailed: readonly Feature[],
  { recipients, sentBy }: { recipients: number; sentBy: number },
): Promise<void> => {
  await sql`insert into feature_email as l (program_id, feature, recipients, sent_by)
    select ${programId}, feature, ${recipients}::integer, ${sentBy}::bigint from unnest(${[...mailed]}::text[]) as feature
    on conflict (program_id, feature) do update set times = l.times + 1, recipients = excluded.recipients,
      sent_at = now(), sent_by = excluded.sent_by`.execute(db)
}
