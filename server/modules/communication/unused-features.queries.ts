import { sql } from 'kysely'
import { type Feature, features, type ProgramFeatures } from '#contract/communication/unused-features.ts'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

type Email = ProgramFeatures['Unused'][number]['Email']

interface Use {
  program_id: number
  feature: Feature
  is_used: boolean
  email: Email
}

const emailOf = sql<Email>`case when u.times is not null then json_build_object('Date',
  to_char(u.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'By', coalesce(u.sent_by, ''),
  'Recipients', u.recipients, 'Times', u.times) end`

const place = new Map<string, number>(features.map((feature, index) => [feature, index]))

/** What these programs used and what was mailed to them, in the order of the screen. Only super admins get an answer. */
export const listUse = async (db: Db, programIds: readonly number[]): Promise<Use[]> => {
  const { rows } = await sql<Use>`select u.program_id, u.feature, u.is_used, ${emailOf} as email
    from feature_use(${[...programIds]}::bigint[]) u`.execute(db)
  return rows.toSorted((a, b) => place.get(a.feature)! - place.get(b.feature)!)
}

/** A page of programs by college and name, each with what it never used. */
export const pagePrograms = async (
  db: Db,
  { search, Feature: feature }: { search: string; Feature?: Feature | undefined },
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ Items: ProgramFeatures[]; Total: number; Page: number; PageSize: number }> => {
  const programs = db
    .selectFrom('program as p')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .where('p.deleted_at', 'is', null)
    .$if(search !== '', (query) => query.where(isFound(sql`c.name || ' - ' || p.name`, search)))
    .$if(feature !== undefined, (query) =>
      query.where(
        sql<boolean>`p.id in (select u.program_id from feature_use(null) u where u.feature = ${feature!} and not u.is_used)`,
      ),
    )
  const { Total } = await programs
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const shown = await programs
    .select(['p.id as ProgramId', 'p.name as ProgramName', 'c.name as CollegeName'])
    .orderBy(sql`lower(c.name), lower(p.name), p.id`)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  const use = Map.groupBy(
    await listUse(
      db,
      shown.map(({ ProgramId }) => ProgramId),
    ),
    ({ program_id }) => program_id,
  )
  return {
    Items: shown.map((program) => ({
      ...program,
      Unused: (use.get(program.ProgramId) ?? [])
        .filter(({ is_used }) => !is_used)
        .map((each) => ({ Feature: each.feature, Email: each.email })),
    })),
    Total,
    Page: page,
    PageSize: pageSize,
  }
}

export interface Reader {
  Id: number
  FirstName: string
  Name: string
  Email: string
}

/** Whom a guide reaches: coordinators, directors and administrators, who set the program up; faculty where there is none. */
export const listReaders = async (db: Db, programId: number): Promise<Reader[]> => {
  const { rows } = await sql<Reader>`
    select id as "Id", first_name as "FirstName", trim(first_name || ' ' || last_name) as "Name", email as "Email" from (
      select id, first_name, last_name, email, access_level >= ${Level.Coord} as is_lead,
        bool_or(access_level >= ${Level.Coord}) over () as has_lead
      from account where program_id = ${programId} and access_level between ${Level.Faculty} and ${Level.Admin}
        and email <> '' and deleted_at is null and deactivated_at is null) a
    where is_lead = has_lead order by lower(last_name), lower(first_name), id`.execute(db)
  return rows
}

/** Waits until no other mailing of guides to the program is under way, so that nobody gets the same guide twice. */
export const awaitMailing = async (db: Db, programId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`feature-emails:${programId}`}, 0))`.execute(db)
}
