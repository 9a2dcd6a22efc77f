import { type RawBuilder, sql } from 'kysely'
import type { Arrangement } from '#contract/payments/payments.ts'
import type { ArrangementStanding } from '#contract/payments/payments-rules.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** An arrangement as it is kept, seen on the program's day; where its evidence is downloaded depends on the server's address. */
export type ArrangementRow = Omit<Arrangement, 'Evidence'> & {
  Evidence: Omit<NonNullable<Arrangement['Evidence']>, 'Url'> | null
}

export interface ArrangementFilter {
  search: string
  ProgramId?: number | undefined
  Standing?: ArrangementStanding | undefined
}

const today = sql<string>`(now() at time zone p.time_zone)::date`

const standing = sql<ArrangementStanding>`case when a.starts_on > ${today} then 'upcoming'
  when a.ends_on < ${today} then 'ended'
  when a.is_exempt and a.evidence_file_id is null then 'evidence' else 'active' end`

/** `a` is the arrangement, `p` its program and `c` the college. */
const arrangements = (db: Db) =>
  db
    .selectFrom('payment_arrangement as a')
    .innerJoin('program as p', 'p.id', 'a.program_id')
    .innerJoin('college as c', 'c.id', 'p.college_id')
    .where('a.deleted_at', 'is', null)

const withColumns = (query: ReturnType<typeof arrangements>) =>
  query
    .leftJoin('stored_file as f', 'f.id', 'a.evidence_file_id')
    .select(['a.id as Id', 'a.program_id as ProgramId', 'p.name as Program', 'c.name as College'])
    .select(sql<Arrangement['Payer']>`a.payer`.as('Payer'))
    .select(['a.payer_name as PayerName', 'a.payer_email as PayerEmail', 'a.payer_address as PayerAddress'])
    .select(['a.cents_per_student as CentsPerStudent', 'a.state as State', 'a.is_exempt as IsExempt'])
    .select(['a.starts_on as StartsOn', 'a.ends_on as EndsOn', 'a.notes as Notes', standing.as('Standing')])
    .select(
      sql<ArrangementRow['Evidence']>`case when f.id is not null then json_build_object('Name', f.name,
        'ByteCount', f.byte_count, 'Date', f.created_at) end`.as('Evidence'),
    )
    .select(
      sql<number>`(select count(*) from invoice i where i.program_id = a.program_id and i.arrangement_id = a.id)`.as(
        'InvoiceCount',
      ),
    )
    .select(
      sql<number>`(select coalesce(sum(i.total_cents), 0) from invoice i where i.program_id = a.program_id
        and i.arrangement_id = a.id and i.voided_at is null)`.as('InvoicedCents'),
    )

const matching = (db: Db, { search, ProgramId, Standing }: ArrangementFilter) =>
  arrangements(db)
    .where('p.deleted_at', 'is', null)
    .$if(ProgramId !== undefined, (rows) => rows.where('a.program_id', '=', ProgramId!))
    .$if(search !== '', (rows) =>
      rows.where(isFound(sql`c.name || ' - ' || p.name || ' ' || a.payer_name`, search)),
    )
    .$if(Standing !== undefined, (rows) => rows.where(sql<boolean>`${standing} = ${Standing}`))

const orders: Record<string, RawBuilder<unknown>> = {
  College: sql`lower(c.name)`,
  Program: sql`lower(p.name)`,
  PayerName: sql`lower(a.payer_name)`,
  StartsOn: sql`a.starts_on`,
  CentsPerStudent: sql`a.cents_per_student`,
}

/** The arrangements of the programs that the transaction works on. */
export const pageArrangements = async (
  db: Db,
  { page, pageSize, sort, ...filter }: ArrangementFilter & { page: number; pageSize: number; sort: string },
) => {
  const { Total } = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const direction = sort.startsWith('-') ? sql`desc` : sql`asc`
  const Items: ArrangementRow[] = await withColumns(matching(db, filter))
    .orderBy(
      sql`${orders[sort.replace('-', '')]!} ${direction}, lower(p.name), a.starts_on desc, a.program_id, a.id`,
    )
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

export const findArrangement = (
  db: Db,
  programId: number,
  arrangementId: number,
): Promise<ArrangementRow | undefined> =>
  withColumns(arrangements(db))
    .where('a.program_id', '=', programId)
    .where('a.id', '=', arrangementId)
    .executeTakeFirst()

export const findEvidence = (db: Db, programId: number, arrangementId: number) =>
  arrangements(db)
    .innerJoin('stored_file as f', 'f.id', 'a.evidence_file_id')
    .select(['f.name', 'f.media_type', 'f.store_key'])
    .where('a.program_id', '=', programId)
    .where('a.id', '=', arrangementId)
    .executeTakeFirst()

/** The newest exempt arrangement of a program whose evidence is missing, and for which the person was not asked yet. */
export const findNewArrangement = async (
  db: Db,
  programId: number,
  accountId: number,
): Promise<number | null> => {
  const found = await db
    .selectFrom('payment_arrangement as a')
    .select('a.id')
    .where('a.program_id', '=', programId)
    .where('a.deleted_at', 'is', null)
    .where('a.is_exempt', '=', true)
    .where('a.evidence_file_id', 'is', null)
    .where(
      sql<boolean>`(a.ends_on is null or a.ends_on >= (select (now() at time zone time_zone)::date from program
        where id = a.program_id))`,
    )
    .where(
      sql<boolean>`not exists (select from payment_evidence_question q where q.program_id = a.program_id
        and q.arrangement_id = a.id and q.account_id = ${accountId})`,
    )
    .orderBy('a.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.id ?? null
}
