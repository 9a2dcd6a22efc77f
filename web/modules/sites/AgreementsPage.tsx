import { IconCalendarPlus, IconDownload, IconFileTypePdf } from '@tabler/icons-react'
import { useState } from 'react'
import { listAreas } from '#contract/areas/areas.ts'
import {
  type AffiliateAgreement,
  deleteAgreement,
  downloadAgreement,
  exportAgreements,
  getAgreement,
  listAgreements,
  restoreAgreement,
} from '#contract/sites/agreements.ts'
import {
  type AgreementStanding,
  type AgreementStandingFilter,
  agreementFilters,
} from '#contract/sites/agreements-rules.ts'
import { getSite, mapSites, pageSites } from '#contract/sites/sites.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { FileButton } from '#web/shell/FileButton.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { RenewDialog } from './RenewDialog.tsx'

const pageSize = 50
const start = {
  areas: [] as number[],
  sites: [] as number[],
  standing: '',
  search: '',
  sort: 'Site',
  page: 1,
  /** The agreement whose renewal is open, as the home page links to it. */
  renew: null as number | null,
}

const standingWord: Record<AgreementStandingFilter, WordKey> = {
  'to-renew': 'agreements.toRenew',
  'in-force': 'agreements.inForce',
  ending: 'agreements.ending',
  urgent: 'agreements.urgent',
  expired: 'agreements.expired',
  unapproved: 'agreements.unapproved',
  inactive: 'agreements.inactive',
}
/** What wants attention; the others are plain dates. */
const tags: Partial<Record<AgreementStanding, Status>> = {
  ending: 'pending',
  urgent: 'review',
  expired: 'rejected',
}

/** Affiliate Agreements: with which sites, from when until when, and what has to be renewed. */
export function AgreementsPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const { at, set, filter, reset, sort, paging, sorting, pager } = useListAddress(
    listAgreements,
    start,
    pageSize,
  )
  const standing = agreementFilters.find((each) => each === at.standing)
  const filters = {
    search: at.search,
    ...(at.areas.length > 0 && { AreaIds: at.areas.map(Number) }),
    ...(at.sites.length > 0 && { SiteIds: at.sites.map(Number) }),
    ...(standing && { Standing: standing }),
    sort,
  }
  const agreements = useRead(listAgreements, {
    params: { programId },
    query: { ...filters, ...paging },
  })
  const areas = useRead(listAreas, { params: { programId }, query: {} }, { staleMs: 300_000 })
  const sites = useSchedulingOptions('site', at.sites.map(Number))
  const refresh = { refresh: [listAgreements, getAgreement, getSite, pageSites, mapSites] }
  const remove = useSave(deleteAgreement, refresh)
  const restore = useSave(restoreAgreement, refresh)
  const [chosen, setRenewing] = useState<AffiliateAgreement>()
  const linked = useRead(
    getAgreement,
    { params: { programId, agreementId: at.renew ?? 0 } },
    { isEnabled: at.renew !== null, keepsLast: false },
  )
  const renewing = chosen ?? (at.renew === null ? undefined : linked.data)
  const closeRenewal = () => {
    setRenewing(undefined)
    if (at.renew !== null) set({ renew: null })
  }
  const one = ({ Id }: AffiliateAgreement) => ({ params: { programId, agreementId: Id } })
  const address = (Format: 'xlsx' | 'csv' | 'pdf') =>
    callAddress(exportAgreements, { params: { programId }, query: { ...filters, Format } })

  const deleteIt = (agreement: AffiliateAgreement) =>
    deleteWithUndo({
      remove: () => remove.run(one(agreement)),
      restore: () => restore.run(one(agreement)),
      deleted: words('agreements.deleted', { name: agreement.Site }),
      restored: words('agreements.restored', { name: agreement.Site }),
    })
  const open = (agreement?: AffiliateAgreement) =>
    navigate('/admin/affiliate-agreements/edit', { ...(agreement && { search: { id: agreement.Id } }) })

  const day = (id: 'InitialDate' | 'LastRenewalDate', header: string): GridColumn<AffiliateAgreement> => ({
    id,
    header,
    width: 136,
    sortable: true,
    cell: (row) => formatDate(row[id]) || '–',
    text: (row) => formatDate(row[id]),
  })
  const yesNo = (id: 'IsActive' | 'IsApproved', header: string): GridColumn<AffiliateAgreement> => ({
    id,
    header,
    width: 96,
    cell: (row) => words(row[id] ? 'agreements.yes' : 'agreements.no'),
    text: (row) => words(row[id] ? 'agreements.yes' : 'agreements.no'),
  })
  const endText = ({ TerminationDate }: AffiliateAgreement) =>
    TerminationDate ? formatDate(TerminationDate) : words('agreements.noEnd')
  const columns: GridColumn<AffiliateAgreement>[] = [
    {
      id: 'Site',
      header: words('agreements.site'),
      identity: true,
      sortable: true,
      grow: 2,
      minWidth: 150,
    },
    day('InitialDate', words('agreements.initialDate')),
    day('LastRenewalDate', words('agreements.lastRenewalDate')),
    {
      id: 'Terms',
      header: words('agreements.terms'),
      width: 108,
      cell: (row) => row.Terms || '–',
      text: (row) => row.Terms,
    },
    yesNo('IsActive', words('agreements.active')),
    yesNo('IsApproved', words('agreements.approved')),
    {
      id: 'TerminationDate',
      header: words('agreements.terminationDate'),
      width: 132,
      sortable: true,
      cell: (row) => {
        const status = tags[row.Standing]
        return status ? (
          <StatusTag status={status} title={words(standingWord[row.Standing])}>
            {endText(row)}
          </StatusTag>
        ) : (
          endText(row)
        )
      },
      text: endText,
    },
    {
      id: 'Renew',
      header: words('agreements.renew'),
      width: 116,
      cell: (row) => (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCalendarPlus size={15} stroke={1.75} aria-hidden />}
          aria-label={words('agreements.renewNamed', { name: row.Site })}
          onClick={(event) => {
            event.stopPropagation()
            setRenewing(row)
          }}
        >
          {words('agreements.renew')}
        </Button>
      ),
      text: () => words('agreements.renew'),
    },
    {
      id: 'Area',
      header: words('agreements.area'),
      hidden: true,
      cell: (row) => row.Area ?? '–',
      text: (row) => row.Area ?? '',
    },
    {
      id: 'Capacity',
      header: words('agreements.capacity'),
      width: 100,
      align: 'end',
      hidden: true,
      cell: (row) => row.Capacity?.toLocaleString('en-US') ?? '–',
      text: (row) => String(row.Capacity ?? ''),
    },
    {
      id: 'File',
      header: words('agreements.document'),
      hidden: true,
      cell: (row) => row.File?.Name ?? '–',
      text: (row) => row.File?.Name ?? '',
    },
  ]
  const add = <AddNew onClick={() => open()} />
  const total = agreements.data?.Total ?? 0
  const isFiltered = at.areas.length > 0 || at.sites.length > 0 || at.search !== '' || standing !== undefined
  return (
    <Page
      title={words('agreements.title')}
      count={agreements.data && words('agreements.count', { count: total })}
      actions={
        <>
          <ExportMenu label={words('agreements.xls')} address={address} />
          <FileButton
            variant="default"
            href={address('pdf')}
            leftSection={<IconFileTypePdf size={17} stroke={1.75} aria-hidden />}
          >
            {words('agreements.pdf')}
          </FileButton>
          {add}
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            multi
            name={words('agreements.area')}
            options={(areas.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={at.areas.map(String)}
            onChange={(chosen) => filter({ areas: chosen.map(Number) })}
          />
          <SelectChip
            multi
            name={words('agreements.site')}
            {...sites}
            value={at.sites.map(String)}
            onChange={(chosen) => filter({ sites: chosen.map(Number) })}
          />
          <SelectChip
            name={words('agreements.state')}
            options={agreementFilters.map((value) => ({ value, label: words(standingWord[value]) }))}
            value={standing ?? null}
            onChange={(value) => filter({ standing: value ?? '' })}
          />
          <SearchBox
            label={words('agreements.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={agreements.data && words('agreements.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="agreements"
        label={words('agreements.title')}
        columns={columns}
        {...fromList(agreements)}
        rowKey={({ Id }) => Id}
        {...sorting}
        empty={{ text: words('agreements.empty'), next: add, filters: { isFiltered, reset } }}
        onOpen={open}
        tone={({ IsActive }) => (IsActive ? undefined : 'quiet')}
        actions={(agreement) => [
          editAction(() => open(agreement)),
          ...(agreement.File
            ? [
                {
                  label: words('agreements.download'),
                  icon: <IconDownload size={16} stroke={1.75} />,
                  onRun: () => location.assign(callAddress(downloadAgreement, one(agreement))),
                },
              ]
            : []),
          deleteAction(() => void deleteIt(agreement)),
        ]}
      />
      {renewing && <RenewDialog key={renewing.Id} agreement={renewing} onClose={closeRenewal} />}
    </Page>
  )
}
