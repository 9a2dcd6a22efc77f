import { sql } from 'kysely'
import type { z } from 'zod'
import type { AuditKind, AuditRow, RecordView } from '#contract/audit/audit.ts'
import { Level } from '#contract/core/levels.ts'
import type { SensitiveClass } from '#contract/core/sensitive.ts'
import { allEndpoints } from '#contract/index.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { cursorOf, readCursor } from '#server/core/http/cursor.ts'
import { actionWords } from './action-words.service.ts'
import { namesOf, nameThings } from './thing-names.queries.ts'

const pageSize = 100
/** Whom a program does not know. */
const support = 'Practicum support'

export interface AuditFilter {
  programId: number
  personId?: number | undefined
  subjectId?: number | undefined
  kind?: z.infer<typeof AuditKind> | undefined
  byKey: boolean
  byLink: boolean
  fromDate?: string | undefined
  throughDate?: string | undefined
  /** Classes of records that the reader opens only as such (`classesClosedTo`). */
  closed: readonly SensitiveClass[]
}

const classes = new Map<string, SensitiveClass>(
  allEndpoints.flatMap(({ method, path, class: of }) => (of ? [[`${method} ${path}`, of] as const] : [])),
)
/** That there is a declaration is what is private of it. */
const declarations = [...classes].flatMap(([action, of]) => (of === 'declaration' ? [action] : []))

/** What students and graduates do is about themselves where nobody else is named. */
const isAboutThemselves = sql`(t.subject_id is null and a.access_level in (${sql.lit(Level.Student)}, ${sql.lit(Level.Alumnus)})
  and t.action ~ '^(POST|DELETE) ')`

/** Moments of the program's own days. */
const startOf = (day: string, plus: number) =>
  sql<string>`((${day}::date + ${plus}::integer)::timestamp at time zone p.time_zone)`

const filtered = (db: Db, filter: AuditFilter) =>
  db
    .selectFrom('audit as t')
    .innerJoin('program as p', 'p.id', 't.program_id')
    .leftJoin('account as a', 'a.id', 't.account_id')
    .leftJoin('account as s', 's.id', 't.subject_id')
    .where('t.program_id', '=', filter.programId)
    .$if(filter.personId !== undefined, (query) => query.where('t.account_id', '=', filter.personId!))
    .$if(filter.subjectId !== undefined, (query) =>
      query.where(
        sql<boolean>`(t.subject_id = ${filter.subjectId!} or t.account_id = ${filter.subjectId!} and ${isAboutThemselves})`,
      ),
    )
    .$if(filter.kind === 'view', (query) => query.where('t.action', 'like', 'GET %'))
    .$if(filter.kind === 'change', (query) => query.where(sql<boolean>`t.action ~ '^(POST|DELETE) '`))
    .$if(filter.kind === 'sign-in', (query) => query.where('t.action', 'like', 'sign%'))
    .$if(filter.closed.includes('declaration'), (query) => query.where('t.action', 'not in', declarations))
    .$if(filter.byKey, (query) => query.where(sql<boolean>`t.detail ? 'ByKey'`))
    .$if(filter.byLink, (query) =>
      query.where(sql<boolean>`(t.detail ? 'ByLink' or t.action like 'link: %')`),
    )
    .$if(filter.fromDate !== undefined, (query) => query.where('t.at', '>=', startOf(filter.fromDate!, 0)))
    .$if(filter.throughDate !== undefined, (query) =>
      query.where('t.at', '<', startOf(filter.throughDate!, 1)),
    )
    .select(['t.id', 't.at', 't.action', 't.account_id', 't.subject_id', 't.detail'])
    .select(sql<string | null>`host(t.address)`.as('address'))
    .select(
      // Of other programs, and of none, names are hidden.
      sql<string>`case when t.account_id is not null and a.id is null then ${support}
        else ${personName('a')} end`.as('person'),
    )
    .select(
      sql<string | null>`case when ${isAboutThemselves} then ${personName('a')}
        else nullif(trim(s.first_name || ' ' || s.last_name), '') end`.as('subject'),
    )
    .select(sql<string | null>`t.detail -> 'ByKey' ->> 'Name'`.as('key'))
    .select(
      sql<string | null>`coalesce(t.detail -> 'ByLink' ->> 'Recipient',
        case when t.action like 'link: %' then t.detail ->> 'Recipient' end)`.as('link'),
    )

type Row = Awaited<ReturnType<ReturnType<typeof filtered>['execute']>>[number]

/** How a call was made, which is told of private records too. */
const means = ['ByKey', 'ByLink', 'ViewingAs', 'WrittenReason']

// Written by `auditEntry`, an object or nothing.
const detailOf = ({ action, detail }: Row, closed: AuditFilter['closed']): Record<string, unknown> => {
  const of = classes.get(action)
  const all = (detail ?? {}) as Record<string, unknown>
  if (!of || !closed.includes(of)) return all
  return Object.fromEntries(Object.entries(all).filter(([name]) => means.includes(name)))
}

/** Whose private records these rows repeat. */
export const privateSubjects = (rows: readonly AuditRow[], closed: AuditFilter['closed']): number[] => [
  ...new Set(
    rows.flatMap(({ Action, SubjectId, PersonId }) => {
      const of = classes.get(Action)
      const isRepeated = of && of !== 'security' && !closed.includes(of)
      const about = SubjectId ?? (of === 'declaration' ? PersonId : null)
      return isRepeated && about !== null && (of === 'declaration' || !Action.startsWith('GET '))
        ? [about]
        : []
    }),
  ),
]

const shown = (row: Row, closed: AuditFilter['closed']): AuditRow => ({
  Id: row.id,
  Date: row.at,
  Action: row.action,
  Summary: actionWords(row.action, row.detail as Record<string, unknown> | null),
  PersonId: row.account_id,
  Person: row.person,
  Key: row.key,
  Link: row.link,
  SubjectId: row.subject_id,
  Subject: row.subject,
  Address: row.address,
  Detail: detailOf(row, closed),
  Names: {},
})

const auditRows = 'audit'
const recordViews = 'record views'

/** The last row of a page, by which the next one is found. */
const idBefore = (list: string, cursor: string | undefined): number | undefined =>
  cursor === undefined ? undefined : readCursor<[id: number]>(list, cursor)[0]
const isBefore = (id: number) =>
  sql<boolean>`(t.at, t.id) < ((select c.at from audit c where c.id = ${id} and c.program_id = t.program_id limit 1), ${id}::bigint)`

/** A page of the audit, newest first. */
export const pageAudit = async (
  db: Db,
  filter: AuditFilter,
  cursor: string | undefined,
): Promise<{ Items: AuditRow[]; NextCursor: string | null }> => {
  const after = idBefore(auditRows, cursor)
  const rows = await filtered(db, filter)
    .$if(after !== undefined, (query) => query.where(isBefore(after!)))
    .orderBy('t.at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
  const Items = rows.slice(0, pageSize).map((row) => shown(row, filter.closed))
  const named = await nameThings(
    db,
    filter.programId,
    Items.map(({ Detail }) => Detail),
  )
  return {
    Items: Items.map((row) => ({ ...row, Names: namesOf(row.Detail, named) })),
    NextCursor: last ? cursorOf(auditRows, [last.id]) : null,
  }
}

/** All rows, one after the other. */
export async function* streamAudit(db: Db, filter: AuditFilter): AsyncGenerator<AuditRow> {
  const rows = filtered(db, filter).orderBy('t.at', 'desc').orderBy('t.id', 'desc').stream(500)
  for await (const row of rows) yield shown(row, filter.closed)
}

/**
 * Who has seen or changed a student's record: other people, keys and links. What nobody is named for, the product's own work, is left
 * out.
 */
export const pageRecordViews = async (
  db: Db,
  { programId, studentId }: { programId: number; studentId: number },
  cursor: string | undefined,
): Promise<{ Items: RecordView[]; NextCursor: string | null }> => {
  const after = idBefore(recordViews, cursor)
  const rows = await db
    .selectFrom('audit as t')
    .leftJoin('account as a', 'a.id', 't.account_id')
    .where('t.program_id', '=', programId)
    .where('t.subject_id', '=', studentId)
    .where('t.account_id', '<>', studentId)
    .$if(after !== undefined, (query) => query.where(isBefore(after!)))
    .select(['t.id', 't.at', 't.action'])
    .select(sql<string | null>`t.detail ->> 'WrittenReason'`.as('reason'))
    .select(sql<string | null>`t.detail -> 'ByKey' ->> 'Name'`.as('key'))
    .select(
      // Super admins belong to no program and help it; who of them it was is nothing that students can ask.
      sql<string>`case when a.id is null or a.access_level = ${Level.SuperAdmin} then ${support}
        else ${personName('a')} end`.as('person'),
    )
    .orderBy('t.at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(pageSize + 1)
    .execute()
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined
  return {
    Items: rows.slice(0, pageSize).map((row) => ({
      Id: row.id,
      Date: row.at,
      Summary: actionWords(row.action),
      Person: row.key ?? row.person,
      Reason: row.reason,
      IsChange: !row.action.startsWith('GET '),
    })),
    NextCursor: last ? cursorOf(recordViews, [last.id]) : null,
  }
}
