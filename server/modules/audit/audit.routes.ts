import * as contract from '#contract/audit/audit.ts'
import { type ExportColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { classesClosedTo } from '#server/core/http/sensitive.ts'
import {
  type AuditFilter,
  pageAudit,
  pageRecordViews,
  privateSubjects,
  streamAudit,
} from './audit.queries.ts'

const filterOf = (
  programId: number,
  query: contract.AuditFilters,
  closed: AuditFilter['closed'],
): AuditFilter => ({
  closed,
  programId,
  personId: query.PersonId,
  subjectId: query.SubjectId,
  kind: query.Kind,
  byKey: query.ByKey,
  byLink: query.ByLink,
  fromDate: query.FromDate,
  throughDate: query.ThroughDate,
})

const columns: readonly ExportColumn<contract.AuditRow>[] = [
  { title: 'Date', width: 26, value: (row) => row.Date },
  { title: 'Who', width: 26, value: (row) => row.Person },
  { title: 'Key', width: 20, value: (row) => row.Key },
  { title: 'Link', width: 30, value: (row) => row.Link },
  { title: 'What', width: 50, value: (row) => row.Summary },
  { title: 'About', width: 26, value: (row) => row.Subject },
  { title: 'Address', width: 18, value: (row) => row.Address },
  { title: 'Call', width: 50, value: (row) => row.Action },
  { title: 'Details', width: 60, value: (row) => JSON.stringify(row.Detail) },
]

/** A file goes on where nobody sees who reads it: nothing private is in it, whoever takes it. */
const closedInFiles = ['health', 'conduct', 'declaration'] as const

export const auditRoutes = [
  handle(contract.listAudit, async ({ db, params, query: { cursor, ...filter }, user, session, audit }) => {
    const closed = classesClosedTo({ user, session })
    const page = await pageAudit(db, filterOf(params.programId, filter, closed), cursor)
    // What is repeated here is looked at as if it were opened there.
    audit.subjectIds = privateSubjects(page.Items, closed)
    return page
  }),

  handle(contract.exportAudit, async ({ db, params, query: { Format, ...filter } }) =>
    tableFile(Format, 'Audit', columns, streamAudit(db, filterOf(params.programId, filter, closedInFiles))),
  ),

  handle(contract.listRecordViews, ({ db, query, user }) =>
    pageRecordViews(db, { programId: user.ProgramId ?? 0, studentId: user.Id }, query.cursor),
  ),
]
