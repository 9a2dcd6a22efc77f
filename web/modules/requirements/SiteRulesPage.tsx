import { listSiteRules } from '#contract/requirements/packets.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

const pageSize = 50

export const basisWords = {
  schoolOfficial: 'packets.basisSchoolOfficial',
  consent: 'packets.basisConsent',
} as const

/** Sites with what they ask besides, and on which legal basis they are told. */
export function SiteRulesPage() {
  const words = useWords()
  const programId = useProgramId()
  const navigate = usePageNavigate()
  const { at, filter, paging, pager, reset, isFiltered } = useListAddress(
    listSiteRules,
    { search: '', page: 1 },
    pageSize,
  )
  const { page, pageSize: size } = paging
  const sites = useRead(listSiteRules, {
    params: { programId },
    query: { search: at.search, page, pageSize: size },
  })
  const total = sites.data?.Total ?? 0
  const open = (siteId: number) => navigate('/admin/requirements/sites/edit', { search: { id: siteId } })
  return (
    <Page
      title={words('packets.rulesTitle')}
      intro={words('packets.rulesIntro')}
      filters={
        <FilterBar onReset={reset} isSet={isFiltered} resetLabel={words('requirements.reset')}>
          <SearchBox
            label={words('packets.search')}
            value={at.search}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={sites.data && words('packets.siteCount', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="site-rules"
        label={words('packets.rulesTitle')}
        {...fromList(sites)}
        rowKey={({ SiteId }) => SiteId}
        empty={{ text: words('sites.emptyAll'), filters: { isFiltered, reset } }}
        onOpen={({ SiteId }) => open(SiteId)}
        actions={({ SiteId }) => [editAction(() => open(SiteId))]}
        columns={[
          { id: 'Site', header: words('packets.site'), identity: true, minWidth: 220, grow: 3 },
          {
            id: 'Basis',
            header: words('packets.basis'),
            minWidth: 180,
            grow: 1,
            cell: ({ Basis }) => words(Basis ? basisWords[Basis] : 'packets.basisNone'),
          },
          {
            id: 'RuleCount',
            header: words('packets.rules'),
            width: 90,
            align: 'end',
            cell: ({ RuleCount }) => RuleCount || '',
          },
          {
            id: 'PacketCount',
            header: words('packets.packetsColumn'),
            width: 90,
            align: 'end',
            cell: ({ PacketCount }) => PacketCount || '',
          },
        ]}
      />
    </Page>
  )
}
