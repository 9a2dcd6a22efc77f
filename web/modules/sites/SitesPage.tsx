import { IconFileImport, IconFileSpreadsheet, IconList, IconMap2 } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { listAreas } from '#contract/areas/areas.ts'
import { getGlobals } from '#contract/session/session.ts'
import { exportSites, getSite, mapSites, pageSites, type SiteListItem } from '#contract/sites/sites.ts'
import { type AgreementState, agreementStates } from '#contract/sites/sites-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { FileButton } from '#web/shell/FileButton.tsx'
import { AddNew } from '#web/ui/AddNew.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Meter } from '#web/ui/charts/Meter.tsx'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { MapView } from '#web/ui/MapView.tsx'
import type { MapBounds, MapPoint } from '#web/ui/map/map-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { AgreementTag, agreementText } from './AgreementTag.tsx'
import { SiteCard } from './SiteCard.tsx'
import classes from './sites.module.css'
import { usePlaces } from './use-places.ts'

const pageSize = 50
const metersAMile = 1609.344
const tones = ['plain', 'bad', 'quiet'] as const
const defaults = {
  search: '',
  area: [] as number[],
  status: 'active',
  agreement: null as string | null,
  places: null as string | null,
  /** Days without assignments: '2026-09-01..2026-11-21'. */
  idle: null as string | null,
  /** The place the map was moved to: latitude, longitude and its name. */
  near: null as string | null,
  sort: '',
  page: 1,
  follow: true,
  site: null as number | null,
  view: 'list',
}
/** What the map shows of the list, and where it looks. */
const apart = ['near', 'follow', 'site', 'view'] as const

const agreementWords = {
  'in-force': 'sites.agreementInForce',
  ending: 'sites.agreementEnding',
  urgent: 'sites.agreementUrgent',
  expired: 'sites.agreementExpired',
  none: 'sites.agreementNone',
} as const satisfies Record<AgreementState, string>

const townOf = ({ City, State, DistanceMeters }: SiteListItem, words: Words): string => {
  const miles = DistanceMeters === null ? null : DistanceMeters / metersAMile
  const distance =
    miles === null
      ? ''
      : words('sites.miles', {
          miles: miles < 10 ? miles.toFixed(1) : Math.round(miles).toLocaleString('en-US'),
        })
  return [[City, State].filter(Boolean).join(', '), distance].filter(Boolean).join(' · ')
}

/** Map bounds as the call takes them; the map may be turned round the globe more than once. */
const asQuery = ({ south, west, north, east }: MapBounds) => ({
  South: toFive(Math.max(-90, south)),
  North: toFive(Math.min(90, north)),
  West: toFive(Math.max(-540, west)),
  East: toFive(Math.min(540, east)),
})
/** Five decimals are a meter; more would only make each address another one. */
const toFive = (degrees: number): number => Number(degrees.toFixed(5))

/** The days of 'YYYY-MM-DD..YYYY-MM-DD'; each may be missing. */
const idleOf = (text: string | number | null): { from: string | null; to: string | null } => {
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/.exec(String(text)) ?? []
  return { from: from ?? null, to: to ?? null }
}

const nearOf = (text: string | number | null): { lat: number; lng: number; name: string } | undefined => {
  const [, lat, lng, name] = /^(-?[\d.]+) (-?[\d.]+) (.+)$/.exec(String(text)) ?? []
  return name && Math.abs(Number(lat)) <= 90 && Math.abs(Number(lng)) <= 180
    ? { lat: Number(lat), lng: Number(lng), name }
    : undefined
}

/** Manage sites: list and map side by side, which follow each other. */
export function SitesPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const mayWrite = useMay()('sites.write')
  const mayImport = useMay()('imports.run')
  const isPhone = useIsPhone()
  const {
    at: address,
    set: setAddress,
    filter: setFilter,
    isFiltered,
    paging,
    sorting,
    pager,
  } = useListAddress(pageSites, defaults, pageSize, apart)
  const [bounds, setBounds] = useState<MapBounds>()
  const lookUp = usePlaces()
  const near = useMemo(() => nearOf(address.near), [address.near])
  const idle = idleOf(address.idle)
  const inProgram = { params: { programId } }
  const isFollowing = address.follow && !isPhone && bounds !== undefined
  const filter = {
    ...(address.search && { search: address.search }),
    ...(address.area.length > 0 && { AreaIds: address.area as number[] }),
    Status: address.status as 'active',
    ...(address.agreement !== null && { Agreement: address.agreement as AgreementState }),
    ...(address.places !== null && { Places: address.places as 'free' }),
    ...(idle.from && { IdleFrom: idle.from }),
    ...(idle.to && { IdleThrough: idle.to }),
  }
  const list = useRead(pageSites, {
    ...inProgram,
    query: {
      ...filter,
      ...(isFollowing && asQuery(bounds)),
      ...paging,
    },
  })
  const places = useRead(mapSites, { ...inProgram, query: filter })
  const areas = useRead(listAreas, { ...inProgram, query: {} }, { staleMs: 300_000 })
  const globals = useRead(getGlobals, {}, { staleMs: 300_000 })
  const chosen = useRead(
    getSite,
    { params: { programId, siteId: address.site ?? 0 } },
    { isEnabled: address.site !== null, keepsLast: false },
  )
  const site = address.site === null ? undefined : chosen.data
  const choose = (id: number | null) => setAddress({ site: id })
  const open = (id?: number) => navigate('/admin/sites/edit', { ...(id && { search: { id: id } }) })

  const points = useMemo<MapPoint[]>(() => {
    const {
      Ids = [],
      Latitudes = [],
      Longitudes = [],
      Tags = [],
      Names = [],
      States = [],
    } = places.data ?? {}
    return Ids.map((id, index) => ({
      id,
      lat: Latitudes[index]!,
      lng: Longitudes[index]!,
      tag: Tags[index]!,
      name: Names[index]!,
      tone: tones[States[index]!] ?? 'plain',
      ...(id === site?.Id && {
        radiusMeters: site.Precision,
        ...(site.PlacesToday > 0 && { figure: `${site.PlacedToday}/${site.PlacesToday}` }),
      }),
    }))
  }, [places.data, site])
  const home = useMemo(() => {
    const place = places.data?.Home
    return place ? { lat: place.Latitude, lng: place.Longitude, name: place.Name } : undefined
  }, [places.data])

  const isNearest = address.sort === 'Distance' || (address.sort === '' && home !== undefined)
  const columns = useMemo<GridColumn<SiteListItem>[]>(
    () => [
      {
        id: 'Name',
        header: words(isNearest ? 'sites.siteNearest' : 'sites.site'),
        identity: true,
        sortable: true,
        grow: 2,
        minWidth: 220,
        text: (row) => row.Name,
        cell: (row) => (
          <span className={classes.identity}>
            <span className={classes.code} title={row.Tag}>
              {row.Tag}
            </span>
            <span>
              <span className={classes.name}>{row.Name}</span>
              <span className={classes.town}>{townOf(row, words)}</span>
            </span>
          </span>
        ),
      },
      {
        id: 'Today',
        header: words('sites.today'),
        sortable: true,
        width: 104,
        text: (row) => words('sites.placed', { placed: row.PlacedToday, places: row.PlacesToday }),
        cell: (row) => <Today row={row} words={words} />,
      },
      {
        id: 'Agreement',
        header: words('sites.agreement'),
        sortable: true,
        width: 164,
        text: (row) => agreementText(row, words),
        cell: (row) => <AgreementTag agreement={row} words={words} />,
      },
    ],
    [words, isNearest],
  )

  const total = list.data?.Total ?? 0
  const reset = () => setAddress({ ...defaults, follow: address.follow, view: address.view })
  const empty =
    list.data?.AllCount === 0
      ? {
          text: words('sites.emptyAll'),
          next: mayImport && (
            <Button
              variant="default"
              onClick={() => navigate('/admin/imports', { search: { kind: 'sites' } })}
            >
              {words('sites.import')}
            </Button>
          ),
        }
      : {
          text: words('sites.emptyMap'),
          next: (
            <Button variant="default" onClick={() => setAddress({ follow: false })}>
              {words('sites.showAll')}
            </Button>
          ),
        }

  const grid = (
    <div className={classes.list}>
      <Grid
        id="sites"
        label={words('sites.title')}
        columns={columns}
        {...fromList(list)}
        rowKey={(row) => row.Id}
        {...(address.sort && { sort: address.sort })}
        onSort={sorting.onSort}
        openKey={address.site ?? undefined}
        tone={(row) => (row.IsActive ? undefined : 'quiet')}
        onOpen={(row) => (isPhone ? setAddress({ site: row.Id, view: 'map' }) : choose(row.Id))}
        empty={{ ...empty, filters: { isFiltered, reset } }}
        density="comfortable"
        noColumnChoice
        {...(mayWrite && {
          actionsWidth: 92,
          actions: (row: SiteListItem) => [editAction(() => open(row.Id), { label: words('sites.edit') })],
        })}
      />
      <div className={classes.foot}>
        <span>
          {words(isFollowing ? 'sites.onMap' : 'sites.inList', {
            count: total,
            shown: total.toLocaleString('en-US'),
          })}
        </span>
        {(list.data?.InactiveHidden ?? 0) > 0 && (
          // The count comes with the list.
          <span>{words('sites.inactiveHidden', { count: list.data!.InactiveHidden })}</span>
        )}
        {(places.data?.Unplaced ?? 0) > 0 && (
          // The count comes with the places.
          <span>{words('sites.notOnMap', { count: places.data!.Unplaced })}</span>
        )}
        <Pager {...pager} total={total} />
      </div>
    </div>
  )
  const map = (
    <div className={classes.map}>
      <MapView
        label={words('sites.title')}
        points={points}
        isWaiting={places.isLoading}
        selectedId={address.site}
        onSelect={(id) => choose(Number(id))}
        onBoundsChange={(next) => {
          setBounds(next)
          if (address.follow && address.page !== 1) setAddress({ page: 1 })
        }}
        {...(home && { home })}
        {...(near && { lookAt: near })}
        {...(globals.data?.MapTilesUrl && { tileUrl: globals.data.MapTilesUrl })}
        card={site && <SiteCard site={site} mayWrite={mayWrite} onClose={() => choose(null)} />}
      />
    </div>
  )
  return (
    <Page
      title={words('sites.title')}
      count={
        list.data &&
        words('sites.count', {
          active: list.data.ActiveCount.toLocaleString('en-US'),
          all: list.data.AllCount.toLocaleString('en-US'),
        })
      }
      actions={
        <>
          {mayImport && (
            <Button
              variant="subtle"
              color="gray"
              data-quiet
              leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
              onClick={() => navigate('/admin/imports', { search: { kind: 'sites' } })}
            >
              {words('sites.import')}
            </Button>
          )}
          <FileButton
            href={callAddress(exportSites, { ...inProgram, query: { ...filter, Format: 'xlsx' } })}
            variant="subtle"
            color="gray"
            data-quiet
            leftSection={<IconFileSpreadsheet size={17} stroke={1.75} aria-hidden />}
          >
            {words('sites.excel')}
          </FileButton>
          {mayWrite && <AddNew onClick={() => open()} />}
        </>
      }
      filters={
        <FilterBar
          onReset={reset}
          isSet={isFiltered || near !== undefined}
          end={
            !isPhone && (
              <label className={classes.follow}>
                <input
                  type="checkbox"
                  className="p-tick"
                  checked={address.follow}
                  onChange={(event) => setFilter({ follow: event.currentTarget.checked })}
                />
                {words('sites.follows')}
              </label>
            )
          }
        >
          <SearchBox
            label={words('sites.search')}
            value={address.search}
            onChange={(search) => setFilter({ search })}
            width={240}
            maxLength={100}
          />
          <SelectChip
            name={words('sites.area')}
            multi
            options={(areas.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={address.area.map(String)}
            onChange={(ids) => setFilter({ area: ids.map(Number) })}
          />
          <SelectChip
            name={address.status === 'all' ? words('sites.status') : ''}
            none={words('sites.all')}
            options={[
              { value: 'active', label: words('sites.active') },
              { value: 'inactive', label: words('sites.inactive') },
            ]}
            value={address.status === 'all' ? null : address.status}
            onChange={(status) => setFilter({ status: status ?? 'all' })}
          />
          <SelectChip
            name={words('sites.agreement')}
            none={words('sites.any')}
            options={agreementStates.map((value) => ({ value, label: words(agreementWords[value]) }))}
            value={address.agreement === null ? null : String(address.agreement)}
            onChange={(agreement) => setFilter({ agreement })}
          />
          <SelectChip
            name={words('sites.places')}
            none={words('sites.any')}
            options={[
              { value: 'free', label: words('sites.placesFree') },
              { value: 'full', label: words('sites.placesFull') },
              { value: 'none', label: words('sites.placesNone') },
            ]}
            value={address.places === null ? null : String(address.places)}
            onChange={(value) => setFilter({ places: value })}
          />
          <DateRangeChip
            name={words('sites.idle')}
            none={words('sites.idleNone')}
            value={idle}
            onChange={({ from, to }) => setFilter({ idle: from || to ? `${from ?? ''}..${to ?? ''}` : null })}
          />
          <SelectChip
            name={words('sites.goTo')}
            none={words('sites.goToNone')}
            search={lookUp.search}
            minLetters={2}
            chosenLabels={near && { [near.name]: near.name }}
            value={near?.name ?? null}
            onChange={(name) => {
              const place = name === null ? undefined : lookUp.placeOf(name)
              setFilter({ near: place ? `${place.Latitude} ${place.Longitude} ${name}` : null })
            }}
          />
        </FilterBar>
      }
      above={
        isPhone && (
          <SegmentedCounts
            label={words('sites.view')}
            value={address.view as 'list' | 'map'}
            onChange={(view) => setAddress({ view })}
            segments={[
              {
                value: 'list',
                label: words('sites.viewList'),
                icon: <IconList size={17} stroke={1.75} aria-hidden />,
              },
              {
                value: 'map',
                label: words('sites.viewMap'),
                icon: <IconMap2 size={17} stroke={1.75} aria-hidden />,
              },
            ]}
          />
        )
      }
    >
      <div className={classes.split}>
        {(!isPhone || address.view !== 'map') && grid}
        {(!isPhone || address.view === 'map') && map}
      </div>
    </Page>
  )
}

function Today({ row, words }: { row: SiteListItem; words: Words }) {
  const { PlacedToday: placed, PlacesToday: places } = row
  if (places === 0 && placed === 0) return <span className={classes.quiet}>{words('sites.noShift')}</span>
  const isFull = placed >= places
  const text = words(isFull ? 'sites.full' : 'sites.placed', { placed, places })
  return (
    <>
      <span className={isFull ? classes.full : undefined}>{text}</span>
      <div className={classes.bar}>
        <Meter value={placed} most={places} label={text} />
      </div>
    </>
  )
}
