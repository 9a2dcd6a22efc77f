import { IconMailForward } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import {
  type Feature,
  features,
  listUnusedFeatures,
  type ProgramFeatures,
} from '#contract/communication/unused-features.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { FeatureGuidesDialog } from './FeatureGuidesDialog.tsx'

const pageSize = 50
const start = { search: '', feature: '', page: 1 }

const featureWords: Record<Feature, WordKey> = {
  sites: 'unused.names.sites',
  scheduling: 'unused.names.scheduling',
  clock: 'unused.names.clock',
  evaluations: 'unused.names.evaluations',
  supervisors: 'unused.names.supervisors',
  imports: 'unused.names.imports',
  'data-sync': 'unused.names.dataSync',
  agreements: 'unused.names.agreements',
  documents: 'unused.names.documents',
  verifications: 'unused.names.verifications',
  announcements: 'unused.names.announcements',
  calendar: 'unused.names.calendar',
  'notification-copies': 'unused.names.notificationCopies',
  employment: 'unused.names.employment',
}

const lastMailed = ({ Unused }: ProgramFeatures): string | undefined =>
  Unused.flatMap(({ Email }) => (Email ? [Email.Date] : []))
    .toSorted()
    .at(-1)

/** Unused Feature Notifications: which programs left what unused, and guides to those who lead them. */
export function UnusedFeaturesPage() {
  const words = useWords()
  const zone = useTimeZone()
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(listUnusedFeatures, start, pageSize)
  const [open, setOpen] = useState<ProgramFeatures>()
  const feature = features.find((each) => each === at.feature)
  const programs = useRead(listUnusedFeatures, {
    query: { search: at.search, ...(feature && { Feature: feature }), ...paging },
  })
  const columns = useMemo((): GridColumn<ProgramFeatures>[] => {
    const names = ({ Unused }: ProgramFeatures) =>
      Unused.map((each) => words(featureWords[each.Feature])).join(', ')
    const mailed = (program: ProgramFeatures) => {
      const date = lastMailed(program)
      return date ? formatInstant(date, zone) : words('unused.never')
    }
    return [
      {
        id: 'ProgramName',
        header: words('unused.program'),
        identity: true,
        minWidth: 180,
        detail: ({ CollegeName }) => CollegeName,
      },
      {
        id: 'Unused',
        header: words('unused.features'),
        grow: 3,
        cell: (program) => names(program) || words('unused.none'),
        text: names,
        detail: ({ Unused }) => words('unused.featureCount', { count: Unused.length, all: features.length }),
      },
      { id: 'LastMailed', header: words('unused.lastMailed'), width: 160, cell: mailed, text: mailed },
    ]
  }, [words, zone])
  const total = programs.data?.Total ?? 0
  const counted = programs.data && words('unused.count', { count: total })
  return (
    <Page
      title={words('unused.title')}
      count={counted}
      intro={words('unused.intro')}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('unused.feature')}
            options={features.map((value) => ({ value, label: words(featureWords[value]) }))}
            value={feature ?? null}
            onChange={(value) => filter({ feature: value ?? '' })}
          />
          <SearchBox
            label={words('unused.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
        </FilterBar>
      }
      footer={counted}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="unused-features"
        label={words('unused.title')}
        columns={columns}
        {...fromList(programs)}
        rowKey={({ ProgramId }) => ProgramId}
        onOpen={setOpen}
        actionsWidth={130}
        end={(program) => (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconMailForward size={15} stroke={1.75} aria-hidden />}
            aria-label={`${words('unused.open')}: ${program.ProgramName}`}
            onClick={(event) => {
              event.stopPropagation()
              setOpen(program)
            }}
          >
            {words('unused.open')}
          </Button>
        )}
        empty={{ text: words('programs.noneYet'), filters: { isFiltered, reset } }}
      />
      {open && <FeatureGuidesDialog program={open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}
