import { type RawBuilder, sql } from 'kysely'
import type { CustomReport } from '#contract/reports/custom-reports.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

export interface Reader {
  programId: number
  accountId: number
}

/** The reports that a person sees: their own, and those shared in the program. */
const visible = (db: Db, { programId, accountId }: Reader) =>
  db
    .selectFrom('custom_report as r')
    .where('r.program_id', '=', programId)
    .where('r.deleted_at', 'is', null)
    .where((where) => where.or([where('r.owner_id', '=', accountId), where('r.is_shared', '=', true)]))

const withColumns = (query: ReturnType<typeof visible>, { accountId }: Reader) =>
  query
    .leftJoin('account as o', 'o.id', 'r.owner_id')
    .leftJoin('custom_report_email as l', (join) =>
      join
        .onRef('l.program_id', '=', 'r.program_id')
        .onRef('l.report_id', '=', 'r.id')
        .on('l.account_id', '=', accountId),
    )
    .select(['r.id as Id', 'r.name as Name', 'r.is_shared as IsShared', 'r.updated_at as ModDate'])
    .select(sql<CustomReport['Definition']>`r.definition`.as('Definition'))
    .select(sql<boolean>`r.owner_id = ${accountId}`.as('IsOwn'))
    // Super admins belong to no program, so that its people cannot look them up.
    .select(sql<string>`coalesce(o.first_name || ' ' || o.last_name, 'Practicum')`.as('Owner'))
    .select(sql<CustomReport['Mailing']>`coalesce(l.frequency, 'none')`.as('Mailing'))
    .select('l.next_on as NextMailOn')

const orders: Record<string, RawBuilder<unknown>> = {
  Name: sql`lower(r.name)`,
  Owner: sql`lower(o.last_name)`,
  ModDate: sql`r.updated_at`,
}

export const pageCustomReports = async (
  db: Db,
  reader: Reader,
  { page, pageSize, search, sort }: { page: number; pageSize: number; search: string; sort: string },
) => {
  const matching = () =>
    visible(db, reader).$if(search !== '', (query) => query.where(isFound(sql`r.name`, search)))
  const { Total } = await matching()
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const Items: CustomReport[] = await withColumns(matching(), reader)
    .orderBy(sql`${orders[sort.replace('-', '')]!} ${direction} nulls last, lower(r.name), r.id`)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

export const findCustomReport = (
  db: Db,
  reader: Reader,
  reportId: number,
): Promise<CustomReport | undefined> =>
  withColumns(visible(db, reader), reader).where('r.id', '=', reportId).executeTakeFirst()
