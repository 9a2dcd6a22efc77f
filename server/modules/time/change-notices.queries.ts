import { formatDate } from '#contract/core/calendar.ts'
import type { Db } from '#server/core/database/pool.ts'
import { queueNotices } from '#server/core/mail/notices.ts'
import { type ChangeableRecord, notify } from './changes.queries.ts'
import { wallClock } from './zone.rules.ts'

/** Tells the student what has become of the time that they asked for. */
export const tellOfChange = async (
  db: Db,
  programId: number,
  {
    id,
    studentId: accountId,
    changeTo,
    zone,
  }: Pick<ChangeableRecord, 'id' | 'studentId' | 'zone'> & { changeTo: number },
  { Accept, Reason }: { Accept: boolean; Reason: string },
): Promise<void> => {
  const asked = wallClock(changeTo, zone)
  const text = `Your time change to ${formatDate(asked.date)} ${asked.time} was ${Accept ? 'accepted' : 'declined'}${Reason ? `: ${Reason}` : '.'}`
  await notify(db, programId, [{ accountId, kind: 'time_change_decided', text }])
  await queueNotices(db, programId, [
    { accountId, label: 'TIME_change_decided', key: `record:${id}`, line: text },
  ])
}
