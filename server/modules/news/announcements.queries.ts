import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import {
  type Announcement,
  type AnnouncementReader,
  categoriesOf,
  levelsOf,
  maxShownAnnouncements,
  type ShownAnnouncement,
} from '#contract/news/announcements.ts'
import type { User } from '#server/core/auth/session.ts'
import { personName } from '#server/core/database/names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

type Row = Omit<Announcement, 'Readers'>

const announcements = (db: Db, programId: number) =>
  db.selectFrom('announcement as n').where('n.program_id', '=', programId).where('n.deleted_at', 'is', null)

/** An account that counts as a reader: there, and able to sign in. */
const isReader = sql`r.deleted_at is null and r.deactivated_at is null`

const columns = (query: ReturnType<typeof announcements>) =>
  query
    .innerJoin('program as p', 'p.id', 'n.program_id')
    .select(['n.id as Id', 'n.html as Text', 'n.is_active as IsActive'])
    .select(sql<Row['Category']>`n.category`.as('Category'))
    .select(['n.hides_acknowledged as HideAcknowledged', 'n.shows_all as ShowAllActive'])
    .select(sql<string>`(n.created_at at time zone p.time_zone)::date`.as('Date'))
    // Not a join: who announced may be a super admin without a program, and is looked up by the key alone.
    .select(
      sql<string>`coalesce((select ${personName('a')} from account a where a.id = n.created_by), '')`.as(
        'Author',
      ),
    )
    .select(
      sql<number>`(select count(*) from announcement_reader x
        join account r on r.program_id = x.program_id and r.id = x.account_id
        where x.program_id = n.program_id and x.announcement_id = n.id and ${isReader})`.as('Acknowledged'),
    )

/** How many people of each level the program has. */
const countLevels = async (db: Db, programId: number): Promise<Map<number, number>> => {
  const rows = await db
    .selectFrom('account as r')
    .select(['r.access_level', sql<number>`count(*)`.as('count')])
    .where('r.program_id', '=', programId)
    .where(sql<boolean>`${isReader}`)
    .groupBy('r.access_level')
    .execute()
  return new Map(rows.map(({ access_level, count }) => [access_level, count]))
}

const withReaders = async (db: Db, programId: number, rows: Row[]): Promise<Announcement[]> => {
  const counts = rows.length > 0 ? await countLevels(db, programId) : new Map<number, number>()
  return rows.map((row) => ({
    ...row,
    Readers: levelsOf(row.Category).reduce((sum, level) => sum + (counts.get(level) ?? 0), 0),
  }))
}

export const pageAnnouncements = async (
  db: Db,
  programId: number,
  query: { search: string; Category?: string; IsActive?: boolean; page: number; pageSize: number },
) => {
  const { search, Category, IsActive, page, pageSize } = query
  const found = announcements(db, programId)
    .$if(Category !== undefined, (rows) => rows.where('n.category', '=', Category!))
    .$if(IsActive !== undefined, (rows) => rows.where('n.is_active', '=', IsActive!))
    // What is searched is what is read: not the tags.
    .$if(search !== '', (rows) =>
      rows.where(isFound(sql`regexp_replace(n.html, '<[^>]*>', '', 'g')`, search)),
    )
  const { Total } = await found
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const rows: Row[] = await columns(found)
    .orderBy('n.id', 'desc')
    .offset((page - 1) * pageSize)
    .limit(pageSize)
    .execute()
  return { Items: await withReaders(db, programId, rows), Total, Page: page, PageSize: pageSize }
}

export const findAnnouncement = async (
  db: Db,
  programId: number,
  id: number,
): Promise<Announcement | undefined> => {
  const row = await columns(announcements(db, programId)).where('n.id', '=', id).executeTakeFirst()
  return row && (await withReaders(db, programId, [row]))[0]
}

export const pageReaders = async (
  db: Db,
  { programId, announcementId }: { programId: number; announcementId: number },
  category: Announcement['Category'],
  query: { search: string; IsAcknowledged?: boolean; sort: string; page: number; pageSize: number },
) => {
  const { search, IsAcknowledged, page, pageSize } = query
  const direction = query.sort.startsWith('-') ? 'desc' : 'asc'
  const found = db
    .selectFrom('account as r')
    .leftJoin('announcement_reader as x', (join) =>
      join
        .onRef('x.program_id', '=', 'r.program_id')
        .on('x.announcement_id', '=', announcementId)
        .onRef('x.account_id', '=', 'r.id'),
    )
    .where('r.program_id', '=', programId)
    .where('r.access_level', 'in', levelsOf(category))
    .where(sql<boolean>`${isReader}`)
    .$if(IsAcknowledged !== undefined, (rows) =>
      rows.where('x.acknowledged_at', IsAcknowledged ? 'is not' : 'is', null),
    )
    .$if(search !== '', (rows) => rows.where(isFound(sql`r.first_name || ' ' || r.last_name`, search)))
  const { Total } = await found
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const Items: AnnouncementReader[] = await found
    .select(['r.id as Id', 'r.last_name as LastName', 'r.first_name as FirstName'])
    .select(['r.access_level as AccessLevel', 'x.acknowledged_at as AcknowledgedAt'])
    .orderBy(sql`lower(r.last_name)`, direction)
    .orderBy(sql`lower(r.first_name)`, direction)
    .orderBy('r.id')
    .offset((page - 1) * pageSize)
    .limit(pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize }
}

/**
 * The active announcements for a person in a program, the newest first. The newest decides whether the others are shown with
 * it. Only the program's own people acknowledge: not super admins who look at it.
 */
export const shownAnnouncements = async (
  db: Db,
  programId: number,
  user: Pick<User, 'Id' | 'ProgramId' | 'AccessLevel'>,
): Promise<ShownAnnouncement[]> => {
  const isOwn = user.ProgramId === programId
  const rows = await db
    .selectFrom('announcement as n')
    .innerJoin('program as p', 'p.id', 'n.program_id')
    .leftJoin('announcement_reader as x', (join) =>
      join
        .onRef('x.program_id', '=', 'n.program_id')
        .onRef('x.announcement_id', '=', 'n.id')
        .on('x.account_id', '=', user.Id),
    )
    .select(['n.id', 'n.html', 'n.hides_acknowledged', 'n.shows_all', 'x.acknowledged_at'])
    .select(sql<string>`(n.created_at at time zone p.time_zone)::date`.as('date'))
    .where('n.program_id', '=', programId)
    .where('n.is_active', '=', true)
    .where('n.deleted_at', 'is', null)
    .where('n.category', 'in', categoriesOf(user.AccessLevel))
    .orderBy('n.id', 'desc')
    .limit(maxShownAnnouncements)
    .execute()
  const shown = rows[0]?.shows_all ? rows : rows.slice(0, 1)
  return shown.map((row) => {
    const asks = isOwn && !(row.hides_acknowledged && user.AccessLevel === Level.Registrant)
    return {
      Id: row.id,
      Html: row.html,
      Date: row.date,
      AcknowledgedAt: asks ? row.acknowledged_at : null,
      AsksAcknowledgement: asks,
    }
  })
}
