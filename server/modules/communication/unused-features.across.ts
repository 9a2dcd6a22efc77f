import { sql } from 'kysely'
import { type Feature, features, type ProgramFeatures } from '#contract/communication/unused-features.ts'
import { acrossPrograms, oneAcrossPrograms } from '#server/core/database/across.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

type Email = ProgramFeatures['Unused'][number]['Email']

interface Use {
  program_id: number
  feature: Feature
  is_used: boolean
  email: Email
}

/** The rows by which a program shows that it has used a feature. */
const traces: Record<Feature, ReturnType<typeof sql>> = {
  sites: sql`site x where x.program_id = p.id and x.deleted_at is null`,
  scheduling: sql`shift_assignment x where x.program_id = p.id`,
  clock: sql`time_record x where x.program_id = p.id`,
  evaluations: sql`evaluation x where x.program_id = p.id`,
  supervisors: sql`supervisor_site x where x.program_id = p.id`,
  imports: sql`import_run x where x.program_id = p.id`,
  'data-sync': sql`api_key x where x.program_id = p.id and 'data-sync.send' = any (x.rights)`,
  agreements: sql`affiliate_agreement x where x.program_id = p.id`,
  documents: sql`document x where x.program_id = p.id`,
  verifications: sql`verification x where x.program_id = p.id`,
  announcements: sql`announcement x where x.program_id = p.id`,
  calendar: sql`calendar_feed x where x.program_id = p.id`,
  'notification-copies': sql`notification_copy x where x.program_id = p.id`,
  employment: sql`employment x where x.program_id = p.id`,
}
const uses = features.map((feature) => sql`(${sql.lit(feature)}, exists (select from ${traces[feature]}))`)

const emailOf = sql<Email>`case when l.times is not null then json_build_object('Date',
  to_char(l.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'By', coalesce(s.user_name, ''),
  'Recipients', l.recipients, 'Times', l.times) end`

const place = new Map<string, number>(features.map((feature, index) => [feature, index]))

/** What these programs used and what was mailed to them, in the order of the screen. */
export const listUse = async (db: Db, programIds: readonly number[]): Promise<Use[]> => {
  const rows = await acrossPrograms(
    db,
    sql<Use>`
      select p.id as program_id, f.feature, f.is_used, ${emailOf} as email
      from program p
      cross join lateral (values ${sql.join(uses)}) as f (feature, is_used)
      left join feature_email l on l.program_id = p.id and l.feature = f.feature
      left join account s on s.id = l.sent_by
      where p.deleted_at is null and p.id = any (${[...programIds]}::bigint[])`,
  )
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
      query.where(sql<boolean>`not exists (select from ${traces[feature!]})`),
    )
  const counted = await oneAcrossPrograms(
    db,
    programs.select(({ fn }) => fn.countAll<number>().as('Total')),
  )
  const shown = await acrossPrograms(
    db,
    programs
      .select(['p.id as ProgramId', 'p.name as ProgramName', 'c.name as CollegeName'])
      .orderBy(sql`lower(c.name), lower(p.name), p.id`)
      .limit(pageSize)
      .offset((page - 1) * pageSize),
  )
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
    Total: counted.Total,
    Page: page,
    PageSize: pageSize,
  }
}
