import { sql } from 'kysely'
import * as contract from '#contract/competencies/examiners.ts'
import { competencyFailures } from '#contract/competencies/failures.ts'
import { Level } from '#contract/core/levels.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import type { Db } from '#server/core/database/pool.ts'
import { programToday } from '#server/core/database/program-today.ts'
import { isFound } from '#server/core/database/search.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import {
  addExaminers,
  addExclusion,
  changeExaminer,
  deleteExclusion,
  setExaminersDeleted,
} from './examiners.commands.ts'

/** Days before the end of a credential from which it is told. */
const soonDays = 60

const columns = sql`r.id as "Id", r.site_id as "SiteId", s.name as "Site", r.first_name as "FirstName", r.last_name as "LastName",
  r.email as "EmailAddress", r.credential as "Credential", r.credential_number as "CredentialNumber", r.expires_on as "ExpiresOn",
  r.examines as "Examines", r.account_id as "AccountId", nullif(trim(u.first_name || ' ' || u.last_name), '') as "Account",
  coalesce((select jsonb_agg(jsonb_build_object('Id', e.id, 'StudentId', e.student_id,
      'Student', listed_name(w.last_name, w.first_name), 'Reason', e.reason) order by w.last_name, w.first_name, e.id)
    from exam_exclusion e join account w on w.program_id = e.program_id and w.id = e.student_id
    where e.program_id = r.program_id and e.email = lower(r.email)), '[]') as "Exclusions"`
const joins = sql`join site s on s.program_id = r.program_id and s.id = r.site_id
  left join account u on u.program_id = r.program_id and u.id = r.account_id`

const findEntry = async (db: Db, programId: number, examinerId: number): Promise<contract.ExaminerEntry> => {
  const { rows } = await sql<contract.ExaminerEntry>`select ${columns} from exam_examiner r ${joins}
    where r.program_id = ${programId} and r.id = ${examinerId} and r.deleted_at is null`.execute(db)
  if (!rows[0]) throw fail(competencyFailures.no_examiner)
  return rows[0]
}

interface Filter {
  SiteId?: number | undefined
  search?: string | undefined
  Expiry?: 'expired' | 'soon' | undefined
  deleted: boolean
  page: number
  pageSize: number
}

const listEntries = async (db: Db, programId: number, filter: Filter) => {
  const today = programToday(programId)
  const where = sql.join(
    [
      sql`r.program_id = ${programId} and r.deleted_at ${filter.deleted ? sql`is not null` : sql`is null`}`,
      filter.SiteId && sql`r.site_id = ${filter.SiteId}`,
      filter.search &&
        isFound(
          sql`r.first_name || ' ' || r.last_name || ' ' || r.email || ' ' || r.credential_number`,
          filter.search,
        ),
      filter.Expiry === 'expired' && sql`r.expires_on < ${today}`,
      filter.Expiry === 'soon' &&
        sql`r.expires_on >= ${today} and r.expires_on < ${today} + ${soonDays}::integer`,
    ].filter((part) => part !== undefined && part !== false && part !== ''),
    sql` and `,
  )
  const { rows } = await sql<contract.ExaminerEntry & { total: number }>`
    select ${columns}, found.total from (
      select r.program_id, r.id, count(*) over () as total from exam_examiner r where ${where}
      order by lower(r.last_name), lower(r.first_name), r.id
      limit ${filter.pageSize} offset ${(filter.page - 1) * filter.pageSize}) found
    join exam_examiner r on r.program_id = found.program_id and r.id = found.id ${joins}
    order by lower(r.last_name), lower(r.first_name), r.id`.execute(db)
  return {
    Items: rows.map(({ total: _total, ...row }) => row),
    Total: rows[0]?.total ?? 0,
    Page: filter.page,
    PageSize: filter.pageSize,
  }
}

/** @throws Failure 422 for an account that examines nothing */
const refuseAccount = async (db: Db, programId: number, accountId: number | null): Promise<void> => {
  if (accountId === null) return
  const { rows } =
    await sql`select 1 from account where program_id = ${programId} and id = ${accountId} and deleted_at is null
    and access_level >= ${Level.Supervisor} and access_level < ${Level.SuperAdmin}`.execute(db)
  if (rows.length === 0) throw fail(competencyFailures.not_a_supervisor, 'AccountId')
}

interface Entry {
  EmailAddress: string
  AccountId: number | null
}

/** @throws Failure 409 where somebody at one of the sites has the email or the account */
const refuseTaken = async (
  db: Db,
  programId: number,
  siteIds: readonly number[],
  { EmailAddress, AccountId }: Entry,
  self: number | null = null,
): Promise<void> => {
  const { rows } = await sql<{ site: string; isEmail: boolean }>`
    select s.name as site, lower(r.email) = lower(${EmailAddress}) as "isEmail" from exam_examiner r
    join site s on s.program_id = r.program_id and s.id = r.site_id
    where r.program_id = ${programId} and r.site_id = any (${[...siteIds]}::bigint[]) and r.deleted_at is null
      and r.id is distinct from ${self}::bigint
      and (lower(r.email) = lower(${EmailAddress}) or r.account_id = ${AccountId}::bigint)
    limit 1`.execute(db)
  const [taken] = rows
  if (taken)
    throw fail(
      competencyFailures.on_roster,
      { IsEmail: taken.isEmail, Site: taken.site },
      taken.isEmail ? 'EmailAddress' : 'AccountId',
    )
}

const listAccounts = async (
  db: Db,
  programId: number,
  query: { search?: string | undefined; Ids?: number[] | undefined; page: number; pageSize: number },
) => {
  const { rows } = await sql<{ Id: number; Name: string; Email: string }>`
    select id as "Id", listed_name(last_name, first_name) as "Name", email as "Email" from account
    where program_id = ${programId} and deleted_at is null and deactivated_at is null
      and access_level >= ${Level.Supervisor} and access_level < ${Level.SuperAdmin}
      and ${query.Ids ? sql`id = any (${query.Ids}::bigint[])` : sql`true`}
      and ${isFound(sql`first_name || ' ' || last_name || ' ' || email`, query.search ?? '')}
    order by lower(last_name), lower(first_name), id
    limit ${query.pageSize} offset ${(query.page - 1) * query.pageSize}`.execute(db)
  return { Items: rows, Total: null, Page: query.page, PageSize: query.pageSize }
}

const exportColumns: readonly ExportColumn<contract.ExaminerEntry>[] = [
  { title: 'Site', width: 30, value: (row) => row.Site },
  { title: 'Last name', width: 18, value: (row) => row.LastName },
  { title: 'First name', width: 16, value: (row) => row.FirstName },
  { title: 'Credential', width: 14, value: (row) => row.Credential },
  { title: 'Number', width: 14, value: (row) => row.CredentialNumber },
  { title: 'Valid to', kind: 'date', value: (row) => row.ExpiresOn ?? '' },
  { title: 'Examines', width: 14, value: (row) => (row.Examines === 'all' ? 'All' : 'Patient care') },
  { title: 'Email', width: 30, value: (row) => row.EmailAddress },
]

async function* allEntries(
  db: Db,
  programId: number,
  filter: Omit<Parameters<typeof listEntries>[2], 'page' | 'pageSize' | 'deleted'>,
) {
  const pageSize = 500
  for (let page = 1; ; page++) {
    const { Items } = await listEntries(db, programId, { ...filter, deleted: false, page, pageSize })
    yield* Items
    if (Items.length < pageSize) return
  }
}

export const examinerRoutes = [
  handle(contract.exportExaminers, async ({ db, params: { programId }, query: { Format, ...filter } }) =>
    tableFile(Format, 'examiners', exportColumns, allEntries(db, programId, filter)),
  ),

  handle(contract.listExaminerAccounts, ({ db, params: { programId }, query }) =>
    listAccounts(db, programId, query),
  ),

  handle(contract.listExaminers, ({ db, params: { programId }, query }) => listEntries(db, programId, query)),

  handle(contract.getExaminer, ({ db, params: { programId, examinerId } }) =>
    findEntry(db, programId, examinerId),
  ),

  handle(contract.createExaminers, async ({ db, params: { programId }, body, audit }) => {
    const siteIds = [...new Set(body.SiteIds)]
    const { rows: there } = await sql<{ n: number }>`select count(*) as n from site
      where program_id = ${programId} and id = any (${siteIds}::bigint[]) and deleted_at is null`.execute(db)
    if (there[0]?.n !== siteIds.length) throw fail(siteFailures.no_such_site)
    await refuseAccount(db, programId, body.AccountId)
    await refuseTaken(db, programId, siteIds, body)
    const Ids = await addExaminers(db, programId, siteIds, body)
    audit.detail = { ...body, SiteIds: siteIds }
    return { Ids }
  }),

  handle(contract.updateExaminer, async ({ db, params: { programId, examinerId }, body, audit }) => {
    const before = await findEntry(db, programId, examinerId)
    await refuseAccount(db, programId, body.AccountId)
    await refuseTaken(db, programId, [before.SiteId], body, examinerId)
    await changeExaminer(db, { programId, id: examinerId }, before.EmailAddress, body)
    audit.detail = { Before: before, After: body }
    return findEntry(db, programId, examinerId)
  }),

  handle(contract.removeExaminers, async ({ db, params: { programId }, body, audit }) => {
    const Removed = await setExaminersDeleted(db, programId, body.Ids, true)
    if (Removed === 0) throw fail(competencyFailures.no_examiner)
    audit.detail = { Ids: body.Ids, Removed }
    return { Removed }
  }),

  handle(contract.restoreExaminers, async ({ db, params: { programId }, body, audit }) => {
    await refuseDeletedParent(db, programId, {
      table: 'exam_examiner',
      ids: body.Ids,
      parent: 'site',
      by: 'site_id',
    })
    const { rows: taken } = await sql<{ site: string }>`
      select s.name as site from exam_examiner r join site s on s.program_id = r.program_id and s.id = r.site_id
      join exam_examiner o on o.program_id = r.program_id and o.site_id = r.site_id and o.deleted_at is null
        and (lower(o.email) = lower(r.email) or o.account_id = r.account_id)
      where r.program_id = ${programId} and r.id = any (${body.Ids}::bigint[]) and r.deleted_at is not null limit 1`.execute(
      db,
    )
    if (taken[0]) throw fail(competencyFailures.on_roster_by_now, { Site: taken[0].site })
    const Restored = await setExaminersDeleted(db, programId, body.Ids, false)
    if (Restored === 0) throw fail(competencyFailures.no_examiner)
    audit.detail = { Ids: body.Ids, Restored }
    return { Restored }
  }),

  handle(contract.addExclusion, async ({ db, params: { programId, examinerId }, body, user, audit }) => {
    const entry = await findEntry(db, programId, examinerId)
    const { rows } =
      await sql`select 1 from account where program_id = ${programId} and id = ${body.StudentId}
      and access_level = ${Level.Student} and deleted_at is null`.execute(db)
    if (rows.length === 0) throw fail(peopleFailures.no_student)
    await addExclusion(db, programId, entry.EmailAddress, body, user.Id)
    audit.subjectId = body.StudentId
    audit.detail = { Examiner: `${entry.FirstName} ${entry.LastName}`, Reason: body.Reason }
    return findEntry(db, programId, examinerId)
  }),

  handle(contract.removeExclusion, async ({ db, params: { programId, examinerId, exclusionId }, audit }) => {
    const entry = await findEntry(db, programId, examinerId)
    const studentId = await deleteExclusion(db, { programId, id: exclusionId }, entry.EmailAddress)
    if (studentId === undefined) throw fail(competencyFailures.no_exclusion)
    audit.subjectId = studentId
  }),
]
