import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { boundToSites } from './documents.queries.ts'

/** Tells everyone whom a new document is for, except who added it: within the product, and in the next digest. */
export const notifyReaders = async (
  db: Db,
  programId: number,
  documentId: number,
  byId: number,
): Promise<void> => {
  await sql`with d as (
      select d.*, c.name || ': ' || d.name as line from document d
      join document_category c on c.program_id = d.program_id and c.id = d.category_id
      where d.program_id = ${programId} and d.id = ${documentId}),
    reader as (
      select a.id, a.access_level, d.line from d join account a on a.program_id = d.program_id
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
            and x.student_level_id = a.student_level_id))),
    told as (
      insert into notification (program_id, account_id, kind, text, link)
      select ${programId}, id, 'document_added', 'Document added: ' || line,
        case when access_level >= ${Level.Faculty} then '/new/admin/document-library' else '/new/documents' end
      from reader)
    insert into email_notice (program_id, account_id, label, subject_key, after)
    select ${programId}, id, 'DOCUMENT_added', 'document:' || ${documentId}::bigint, line from reader`.execute(
    db,
  )
}

/** Makes these the sites and student levels of a document. */
export const saveReaders = async (
  db: Db,
  programId: number,
  documentId: number,
  { SiteIds, StudentLevelIds }: { SiteIds: readonly number[]; StudentLevelIds: readonly number[] },
): Promise<void> => {
  await sql`with gone as (delete from document_site where program_id = ${programId} and document_id = ${documentId}
      and site_id <> all (${[...SiteIds]}::bigint[]))
    insert into document_site (program_id, document_id, site_id)
    select ${programId}, ${documentId}, unnest(${[...SiteIds]}::bigint[]) on conflict do nothing`.execute(db)
  await sql`with gone as (delete from document_student_level where program_id = ${programId}
      and document_id = ${documentId} and student_level_id <> all (${[...StudentLevelIds]}::smallint[]))
    insert into document_student_level (program_id, document_id, student_level_id)
    select ${programId}, ${documentId}, unnest(${[...StudentLevelIds]}::smallint[]) on conflict do nothing`.execute(
    db,
  )
}
