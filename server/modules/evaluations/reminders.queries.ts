import { sql } from 'kysely'
import { formatDate } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { htmlList, type MadeHtml } from '#server/core/mail/email-text.ts'

/** An evaluation as an email names it. */
export interface Remembered {
  Title: string
  Subject: string
  Due: string | null
}

/** What names an evaluation `e` in a sentence: template `t`, subject `u`, site `s`. */
export const withNames = sql`
  join evaluation_template t on t.program_id = e.program_id and t.id = e.template_id
  left join account u on u.program_id = e.program_id and u.id = e.subject_id
  left join site s on s.program_id = e.program_id and s.id = e.site_id`

/** An email names no more than these; the page has all of them. */
const maxNamed = 50

/** The evaluations, one a line. */
export const evaluationList = (evaluations: readonly (Remembered & { Step?: string })[]): MadeHtml => {
  const lines = evaluations.slice(0, maxNamed).map(({ Title, Subject, Due, Step }) => {
    const due = Due === null ? 'no due date' : `due ${formatDate(Due)}`
    const state = Step === 'new' ? 'new, ' : Step?.startsWith('late') ? 'overdue, ' : ''
    return [Title, Subject && ` of ${Subject}`, `: ${state}${due}`].join('')
  })
  const more = evaluations.length - lines.length
  return htmlList(more > 0 ? [...lines, `and ${more} more`] : lines)
}

/** The coordinators of a program who can be told something. */
export const listCoordinatorIds = async (db: Db, programId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('account')
    .select('id')
    .where('program_id', '=', programId)
    .where('access_level', '=', Level.Coord)
    .where('deactivated_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
