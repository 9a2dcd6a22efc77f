import { formatDate } from '#contract/core/calendar.ts'
import type { Db } from '#server/core/database/pool.ts'
import { queueNotices } from '#server/core/mail/notices.ts'
import { notify } from './changes.commands.ts'
import type { ChangeableRecord } from './changes.queries.ts'
import { wallClock } from './zone.rules.ts'

/** Tells the student what has become of the time that they asked for. */
export const tellOfChange = async (
  db: Db,
  programId: number,
  {
    id,
    studentId: accountId,
    at,
    changeTo,
    zone,
  }: Pick<ChangeableRecord, 'id' | 'studentId' | 'zone' | 'at' | 'changeTo'>,
  { Accept, Reason }: { Accept: boolean; Reason: string },
): Promise<void> => {
  const { date, time } = wallClock(changeTo ?? at, zone)
  const when = `${formatDate(date)} ${time}`
  const why = Reason ? `: ${Reason}` : '.'
  const text =
    changeTo === null
      ? `Your clock-in of ${when} ${Accept ? 'was removed' : 'was kept'}${why}`
      : `Your time change to ${when} was ${Accept ? 'accepted' : 'declined'}${why}`
  await notify(db, programId, [{ accountId, kind: 'time_change_decided', text }])
  await queueNotices(db, programId, [
    { accountId, label: 'TIME_change_decided', key: `record:${id}`, line: text },
  ])
}
