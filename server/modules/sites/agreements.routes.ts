import { formatDate } from '#contract/core/calendar.ts'
import { maxDocumentFileBytes } from '#contract/documents/documents-rules.ts'
import * as contract from '#contract/sites/agreements.ts'
import { type AgreementStandingFilter, renewedDates } from '#contract/sites/agreements-rules.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import { termPlaceholders } from '#contract/terminology/terminology.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { pdfFile } from '#server/core/files/pdf.ts'
import type { ReceivedFile } from '#server/core/files/received-file.ts'
import { sentFile, storeDocumentFile } from '#server/core/files/stored-files.ts'
import { type ExportColumn, type PrintedColumn, tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { momentIn } from '#server/core/runtime/today.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { getTerms } from '../terminology/terminology.queries.ts'
import { addAgreement, changeAgreement, renewAgreement, setAgreementDeleted } from './agreements.commands.ts'
import {
  type AgreementFilter,
  type AgreementRow,
  filterNames,
  findAgreement,
  findAgreementFile,
  pageAgreements,
  streamAgreements,
} from './agreements.queries.ts'
import { getListContext, siteExists } from './sites.queries.ts'

const missing = () => fail(siteFailures.no_agreement)

/** An agreement with the address of its file. */
const withUrl = (services: Services, programId: number, row: AgreementRow): contract.AffiliateAgreement => ({
  ...row,
  File: row.File && {
    ...row.File,
    Date: new Date(row.File.Date).toISOString(),
    Url: `${services.config.appRoot}/new/api/programs/${programId}/affiliate-agreements/${row.Id}/file`,
  },
})

const getAgreement = async (db: Db, programId: number, agreementId: number): Promise<AgreementRow> => {
  const agreement = await findAgreement(db, programId, agreementId)
  if (!agreement) throw missing()
  return agreement
}

const expectSite = async (db: Db, programId: number, siteId: number, user: User): Promise<void> => {
  if (!(await siteExists(db, programId, siteId, user))) throw fail(siteFailures.site_gone, 'SiteId')
}

/** The id of the file that was sent; undefined when there is none, so that the old one stays. */
const keepSent = async (
  db: Db,
  services: Services,
  files: ReceivedFile[],
  at: { programId: number; accountId: number },
): Promise<number | undefined> =>
  files.some(({ field }) => field === 'file')
    ? storeDocumentFile(db, services, sentFile(files, maxDocumentFileBytes), at)
    : undefined

/** What the audit keeps of an agreement. */
const told = (row: AgreementRow) => ({
  AgreementId: row.Id,
  SiteId: row.SiteId,
  InitialDate: row.InitialDate,
  LastRenewalDate: row.LastRenewalDate,
  Terms: row.Terms,
  IsActive: row.IsActive,
  IsApproved: row.IsApproved,
  TerminationDate: row.TerminationDate,
  Capacity: row.Capacity,
  File: row.File?.Name ?? null,
})

const setDeleted = async (
  db: Db,
  { programId, agreementId: id }: { programId: number; agreementId: number },
  isDeleted: boolean,
): Promise<void> => {
  if (!(await setAgreementDeleted(db, { programId, id }, isDeleted))) throw missing()
}

const standingWords: Record<AgreementStandingFilter, string> = {
  'to-renew': 'To renew',
  'in-force': 'In force',
  ending: 'Ends within 90 days',
  urgent: 'Ends within 30 days',
  expired: 'Expired',
  unapproved: 'Not approved',
  inactive: 'Inactive',
}
const yesNo = (value: boolean): string => (value ? 'Yes' : 'No')

const contactText = ({ Name, Role, Email, Phone }: contract.AgreementContact): string =>
  [Name, Role, Email, Phone].filter(Boolean).join(', ')

type AgreementColumn = ExportColumn<AgreementRow>
const date = (title: string, value: AgreementColumn['value']): AgreementColumn => ({
  title,
  kind: 'date',
  width: 14,
  value,
})
const exportColumns = (words: Record<string, string>): AgreementColumn[] => [
  // Every program has its words for both.
  { title: words.Site!, width: 36, value: (row) => row.Site },
  { title: words.Area!, width: 18, value: (row) => row.Area },
  date('Initial Date', (row) => row.InitialDate),
  date('Last Renewal Date', (row) => row.LastRenewalDate),
  { title: 'Terms', width: 18, value: (row) => row.Terms },
  { title: 'Active', width: 10, value: (row) => yesNo(row.IsActive) },
  { title: 'Approved', width: 10, value: (row) => yesNo(row.IsApproved) },
  date('Termination Date', (row) => row.TerminationDate),
  { title: 'State', width: 20, value: (row) => standingWords[row.Standing] },
  { title: 'Capacity', kind: 'number', value: (row) => row.Capacity },
  { title: 'Contacts', width: 40, value: (row) => row.Contacts.map(contactText).join('; ') },
  { title: 'Document', width: 30, value: (row) => row.File?.Name ?? '' },
  { title: 'Notes', width: 40, value: (row) => row.Notes },
]

/** The columns of the screen, on paper. */
const printedColumns = (words: Record<string, string>): PrintedColumn<AgreementRow>[] => [
  // Every program has its word for it.
  { title: words.Site!, value: (row) => row.Site },
  { title: 'Initial Date', value: (row) => formatDate(row.InitialDate) },
  { title: 'Last Renewal Date', value: (row) => formatDate(row.LastRenewalDate) },
  { title: 'Terms', value: (row) => row.Terms },
  { title: 'Active', value: (row) => yesNo(row.IsActive) },
  { title: 'Approved', value: (row) => yesNo(row.IsApproved) },
  { title: 'Termination Date', value: (row) => formatDate(row.TerminationDate) },
  { title: 'State', value: (row) => standingWords[row.Standing] },
]

/** The agreements as a printed table, with the columns of the screen. */
const report = async (db: Db, programId: number, filter: AgreementFilter, words: Record<string, string>) => {
  const columns = printedColumns(words)
  const rows: string[][] = []
  for await (const row of streamAgreements(db, programId, filter))
    rows.push(columns.map(({ value }) => value(row)))
  const program = await findProgramContext(db, programId)
  const names = [
    ...(await filterNames(db, programId, filter)),
    ...(filter.Standing ? [standingWords[filter.Standing]] : []),
    ...(filter.search ? [`“${filter.search}”`] : []),
  ]
  return {
    title: 'Affiliate Agreements',
    lines: [
      ...(program ? [`${program.Name} · ${program.CollegeName}`] : []),
      ...(names.length > 0 ? [names.join(' · ')] : []),
    ],
    columns: columns.map(({ title }) => ({ title })),
    rows,
    totals: columns.map((_column, index) =>
      index === 0 ? `${rows.length} ${rows.length === 1 ? 'agreement' : 'agreements'}` : '',
    ),
  }
}

export const agreementRoutes = [
  handle(contract.listAgreements, async ({ db, params: { programId }, query, services }) => {
    const page = await pageAgreements(db, programId, query)
    return { ...page, Items: page.Items.map((row) => withUrl(services, programId, row)) }
  }),

  handle(contract.exportAgreements, async ({ db, params: { programId }, query, user }) => {
    const { Format, ...filter } = query
    const words = termPlaceholders(await getTerms(db, programId))
    if (Format === 'pdf')
      return pdfFile('Affiliate agreements', {
        ...(await report(db, programId, filter, words)),
        by: user.Name,
        at: momentIn(user.TimeZone),
      })
    const rows = streamAgreements(db, programId, filter)
    return tableFile(Format, 'Affiliate agreements', exportColumns(words), rows)
  }),

  handle(contract.getAgreement, async ({ db, params: { programId, agreementId }, services }) =>
    withUrl(services, programId, await getAgreement(db, programId, agreementId)),
  ),

  handle(
    contract.createAgreement,
    async ({ db, params: { programId }, body: { agreement }, files, services, user, audit }) => {
      await expectSite(db, programId, agreement.SiteId, user)
      const fileId = await keepSent(db, services, files, { programId, accountId: user.Id })
      const id = await addAgreement(db, programId, user.Id, agreement, fileId)
      const made = await getAgreement(db, programId, id)
      audit.detail = told(made)
      return withUrl(services, programId, made)
    },
  ),

  handle(
    contract.updateAgreement,
    async ({ db, params: { programId, agreementId }, body: { agreement }, files, services, user, audit }) => {
      const before = await getAgreement(db, programId, agreementId)
      if (agreement.SiteId !== before.SiteId) await expectSite(db, programId, agreement.SiteId, user)
      const fileId = await keepSent(db, services, files, { programId, accountId: user.Id })
      await changeAgreement(db, { programId, id: agreementId }, agreement, fileId)
      const after = await getAgreement(db, programId, agreementId)
      audit.detail = { Before: told(before), After: told(after) }
      return withUrl(services, programId, after)
    },
  ),

  handle(
    contract.renewAgreement,
    async ({ db, params: { programId, agreementId }, body, services, audit }) => {
      const before = await getAgreement(db, programId, agreementId)
      const { Today } = await getListContext(db, programId)
      const dates = { ...renewedDates(before, Today), ...body }
      if (before.TerminationDate !== null && dates.TerminationDate <= before.TerminationDate)
        throw fail(siteFailures.not_later, { Date: formatDate(before.TerminationDate) }, 'TerminationDate')
      if (dates.TerminationDate < dates.LastRenewalDate)
        throw fail(siteFailures.before_renewal, 'TerminationDate')
      if (before.InitialDate !== null && dates.LastRenewalDate < before.InitialDate)
        throw fail(siteFailures.before_initial, 'LastRenewalDate')
      await renewAgreement(db, { programId, id: agreementId }, dates)
      const after = await getAgreement(db, programId, agreementId)
      audit.detail = { Before: told(before), After: told(after) }
      return withUrl(services, programId, after)
    },
  ),

  handle(contract.deleteAgreement, async ({ db, params, audit }) => {
    audit.detail = told(await getAgreement(db, params.programId, params.agreementId))
    await setDeleted(db, params, true)
  }),

  handle(contract.restoreAgreement, async ({ db, params, services, audit }) => {
    await refuseDeletedParent(db, params.programId, {
      table: 'affiliate_agreement',
      ids: [params.agreementId],
      parent: 'site',
      by: 'site_id',
    })
    await setDeleted(db, params, false)
    const back = await getAgreement(db, params.programId, params.agreementId)
    audit.detail = told(back)
    return withUrl(services, params.programId, back)
  }),

  handle(contract.downloadAgreement, async ({ db, params: { programId, agreementId }, services, audit }) => {
    const file = await findAgreementFile(db, programId, agreementId)
    if (!file) throw fail(siteFailures.no_agreement_document)
    audit.detail = { AgreementId: agreementId, Site: file.site, Filename: file.name }
    return { name: file.name, type: file.media_type, chunks: await services.files.read(file.store_key) }
  }),
]
