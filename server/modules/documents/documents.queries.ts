import { type RawBuilder, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { LibraryDocument, ProgramDocument } from '#contract/documents/documents.ts'
import { siteRoles, writeAccess } from '#contract/documents/documents-rules.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { isFound } from '#server/core/database/search.ts'

/** A document as it is kept; where it is downloaded depends on the server's address. */
export type DocumentRow = Omit<ProgramDocument, 'Url'>
export type LibraryRow = Omit<LibraryDocument, 'Url'>

type Reader = Pick<User, 'Id' | 'AccessLevel' | 'isSuperAdmin'>

/** Levels that are bound to sites: what is for some sites only, is for them if they are assigned to one. */
const boundToSites: readonly number[] = [...siteRoles, Level.CCUnderHood]

const asText = (levels: number[] | null): string | null => (levels === null ? null : writeAccess(levels))

/**
 * Whether document `d` is for the reader: their level is among its roles; what is for some sites only asks people of sites
 * for an assignment to one of them, what is for some student levels only asks students for theirs.
 */
const isFor = (user: Reader): RawBuilder<boolean> => {
  if (user.isSuperAdmin) return sql<boolean>`true`
  const conditions = [sql`(d.access is null or ${user.AccessLevel}::smallint = any (d.access))`]
  if (boundToSites.includes(user.AccessLevel))
    conditions.push(sql`(not exists (select from document_site x where x.program_id = d.program_id and x.document_id = d.id)
      or exists (select from document_site x
        join supervisor_site v on v.program_id = x.program_id and v.site_id = x.site_id and v.account_id = ${user.Id}
        join site s on s.program_id = x.program_id and s.id = x.site_id and s.deleted_at is null
        where x.program_id = d.program_id and x.document_id = d.id))`)
  if (user.AccessLevel === Level.Student)
    conditions.push(sql`(not exists (select from document_student_level x where x.program_id = d.program_id
        and x.document_id = d.id)
      or exists (select from document_student_level x
        join account a on a.id = ${user.Id} and a.student_level_id = x.student_level_id
        where x.program_id = d.program_id and x.document_id = d.id))`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

const documents = (db: Db, programId: number) =>
  db
    .selectFrom('document as d')
    .innerJoin('document_category as c', (join) =>
      join.onRef('c.program_id', '=', 'd.program_id').onRef('c.id', '=', 'd.category_id'),
    )
    .where('d.program_id', '=', programId)
    .where('d.deleted_at', 'is', null)

const withText = (query: ReturnType<typeof documents>, search: string) =>
  query.$if(search !== '', (rows) =>
    rows.where(isFound(sql`d.name || ' ' || d.description || ' ' || d.file_name`, search)),
  )

const plainColumns = (query: ReturnType<typeof documents>) =>
  query
    .innerJoin('stored_file as f', 'f.id', 'd.file_id')
    .select(['d.id as Id', 'c.name as Category', 'd.category_id as CategoryId', 'd.name as Name'])
    .select(['d.file_name as Filename', 'd.description as Description'])
    .select(['f.media_type as MediaType', 'f.byte_count as ByteCount', 'f.created_at as FileDate'])

const allColumns = (query: ReturnType<typeof documents>) =>
  plainColumns(query)
    .select('d.access as Levels')
    .select(
      sql<number[]>`to_jsonb(array(select x.site_id from document_site x
        where x.program_id = d.program_id and x.document_id = d.id order by x.site_id))`.as('SiteIds'),
    )
    .select(
      sql<string[]>`array(select s.name from document_site x
        join site s on s.program_id = x.program_id and s.id = x.site_id and s.deleted_at is null
        where x.program_id = d.program_id and x.document_id = d.id order by lower(s.name), s.id)`.as('Sites'),
    )
    .select(
      sql<number[]>`array(select x.student_level_id from document_student_level x
        where x.program_id = d.program_id and x.document_id = d.id order by x.student_level_id)`.as(
        'StudentLevelIds',
      ),
    )
    .select(
      sql<string[]>`array(select coalesce(l.name, x.student_level_id::text) from document_student_level x
        left join student_level l on l.program_id = x.program_id and l.id = x.student_level_id
        where x.program_id = d.program_id and x.document_id = d.id order by x.student_level_id)`.as(
        'StudentLevels',
      ),
    )

type AllRow = Awaited<ReturnType<ReturnType<typeof allColumns>['execute']>>[number]

const asDocument = ({ Levels, ...row }: AllRow): DocumentRow => ({
  ...row,
  Access: asText(Levels),
  SiteMappings: row.SiteIds.map((SiteId) => ({ SiteId })),
  StudentLevelMappings: row.StudentLevelIds.map((LevelId) => ({ LevelId })),
})

/** All documents of a program, by category and name. */
export const listDocuments = async (db: Db, programId: number): Promise<DocumentRow[]> => {
  const rows = await allColumns(documents(db, programId))
    .orderBy(sql`lower(c.name)`)
    .orderBy('c.id')
    .orderBy(sql`lower(d.name)`)
    .orderBy('d.id')
    .execute()
  return rows.map(asDocument)
}

const orders: Record<string, RawBuilder<unknown>> = {
  Id: sql`d.id`,
  Category: sql`lower(c.name)`,
  Name: sql`lower(d.name)`,
  FileDate: sql`f.created_at`,
}

export const searchDocuments = async (
  db: Db,
  programId: number,
  query: {
    search: string
    CategoryId?: number | undefined
    Level?: number | undefined
    sort: string
    page: number
    pageSize: number
  },
) => {
  const { search, CategoryId, Level: level, sort, page, pageSize } = query
  const found = withText(documents(db, programId), search)
    .$if(CategoryId !== undefined, (rows) => rows.where('d.category_id', '=', CategoryId!))
    .$if(level !== undefined, (rows) =>
      rows.where(sql<boolean>`(d.access is null or ${level!}::smallint = any (d.access))`),
    )
  const { Total } = await found
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const rows = await allColumns(found)
    .orderBy(orders[sort.replace('-', '')]!, sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy(sql`lower(d.name)`)
    .orderBy('d.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items: rows.map(asDocument), Total, Page: page, PageSize: pageSize }
}

export const findDocument = async (
  db: Db,
  programId: number,
  documentId: number,
): Promise<DocumentRow | undefined> => {
  const row = await allColumns(documents(db, programId)).where('d.id', '=', documentId).executeTakeFirst()
  return row && asDocument(row)
}

/** The newest documents that are for the reader, and how many there are. */
export const newestOfLibrary = async (
  db: Db,
  programId: number,
  user: Reader,
  most: number,
): Promise<{ Items: LibraryRow[]; Total: number }> => {
  const own = () => documents(db, programId).where(isFor(user))
  const { Total } = await own()
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const Items = await plainColumns(own())
    .orderBy('f.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(most)
    .execute()
  return { Items, Total }
}

/** A page of what is for the reader, by category and name, with their categories. */
export const pageLibrary = async (
  db: Db,
  programId: number,
  user: Reader,
  {
    search,
    CategoryId,
    page,
    pageSize,
  }: { search: string; CategoryId?: number | undefined; page: number; pageSize: number },
) => {
  const own = () => documents(db, programId).where(isFor(user))
  const Categories = await own()
    .select(['c.id as Id', 'c.name as Name', ({ fn }) => fn.countAll<number>().as('Count')])
    .groupBy(['c.id', 'c.name'])
    .orderBy(sql`lower(c.name)`)
    .orderBy('c.id')
    .execute()
  const found = withText(own(), search).$if(CategoryId !== undefined, (rows) =>
    rows.where('d.category_id', '=', CategoryId!),
  )
  const { Total } = await found
    .select(({ fn }) => fn.countAll<number>().as('Total'))
    .executeTakeFirstOrThrow()
  const Items: LibraryRow[] = await plainColumns(found)
    .orderBy(sql`lower(c.name)`)
    .orderBy('c.id')
    .orderBy(sql`lower(d.name)`)
    .orderBy('d.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { Items, Total, Page: page, PageSize: pageSize, Categories }
}

/** The file of a document, if it is for the reader; without a reader whoever it is for. */
export const findDocumentFile = (db: Db, programId: number, documentId: number, reader: Reader | undefined) =>
  documents(db, programId)
    .innerJoin('stored_file as f', 'f.id', 'd.file_id')
    .select(['d.name', 'd.file_name', 'f.media_type', 'f.store_key'])
    .where('d.id', '=', documentId)
    .$if(reader !== undefined, (rows) => rows.where(isFor(reader!)))
    .executeTakeFirst()

/** The other document of the program whose file has the name, in any case of letters. */
export const findDocumentByFile = (db: Db, programId: number, fileName: string, exceptId: number) =>
  db
    .selectFrom('document')
    .select(['id', 'name'])
    .where('program_id', '=', programId)
    .where(sql`lower(file_name)`, '=', fileName.toLowerCase())
    .where('deleted_at', 'is', null)
    .where('id', '!=', exceptId)
    .executeTakeFirst()

/** Which of the sites are there, and which of the student levels. */
export const findReaders = async (
  db: Db,
  programId: number,
  { SiteIds, StudentLevelIds }: { SiteIds: readonly number[]; StudentLevelIds: readonly number[] },
): Promise<{ sites: number[]; levels: number[] }> => {
  const { rows } = await sql<{ sites: number[]; levels: number[] }>`select
    to_jsonb(array(select id from site where program_id = ${programId} and deleted_at is null
      and id = any (${[...SiteIds]}::bigint[]))) as sites,
    array(select id from student_level where program_id = ${programId}
      and id = any (${[...StudentLevelIds]}::smallint[])) as levels`.execute(db)
  return rows[0]!
}

/** Everyone whom a new document is for, except who added it, with the line that tells them. */
export const listToldReaders = async (
  db: Db,
  programId: number,
  documentId: number,
  byId: number,
): Promise<{ accountId: number; level: number; line: string }[]> => {
  const { rows } = await sql<{ accountId: number; level: number; line: string }>`
    with d as (
      select d.*, c.name || ': ' || d.name as line from document d
      join document_category c on c.program_id = d.program_id and c.id = d.category_id
      where d.program_id = ${programId} and d.id = ${documentId})
    select a.id as "accountId", a.access_level as level, d.line from d join account a on a.program_id = d.program_id
    where a.deleted_at is null and a.deactivated_at is null and a.id <> ${byId}
      and (d.access is null or a.access_level = any (d.access))
      and (a.access_level in (${Level.Student}, ${Level.Registrant}, ${Level.Alumnus}, ${Level.Supervisor},
        ${Level.CCUnderHood}, ${Level.SiteEmployee}) or a.access_level >= ${Level.Faculty})
      and (a.access_level <> all (${[...boundToSites]}::smallint[])
        or not exists (select from document_site x where x.program_id = d.program_id and x.document_id = d.id)
        or exists (select from document_site x
          join supervisor_site v on v.program_id = x.program_id and v.site_id = x.site_id and v.account_id = a.id
          where x.program_id = d.program_id and x.document_id = d.id))
      and (a.access_level <> ${Level.Student}
        or not exists (select from document_student_level x where x.program_id = d.program_id and x.document_id = d.id)
        or exists (select from document_student_level x where x.program_id = d.program_id and x.document_id = d.id
          and x.student_level_id = a.student_level_id))`.execute(db)
  return rows
}
