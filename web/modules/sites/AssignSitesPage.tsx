import { useEffect, useMemo, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import {
  getSite,
  getSiteSupervisors,
  getSupervisorSites,
  listSiteChoices,
  listSupervisors,
  type SupervisorItem,
  saveSiteSupervisors,
  saveSupervisorSites,
} from '#contract/sites/sites.ts'
import { siteTag } from '#contract/sites/sites-rules.ts'
import type { CallError } from '#web/api/call.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { useLeaveGuard } from '#web/shell/use-leave-guard.ts'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn, RowKey } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './sites.module.css'

const pageSize = 50
const defaults = {
  by: 'supervisor',
  id: null as number | null,
  search: '',
  page: 1,
  ticks: '',
  ticksPage: 1,
  only: false,
}
type Address = { -readonly [Name in keyof typeof defaults]: (typeof defaults)[Name] }

interface Choice {
  Id: number
  Name: string
  Tag: string
  Place: string
}

/** The sites to choose among, by name. */
const useChoices = (
  programId: number,
): { choices: Choice[] | undefined; error: CallError | null; retry: () => void } => {
  const read = useRead(listSiteChoices, { params: { programId } }, { staleMs: 60_000 })
  const choices = useMemo(() => {
    if (!read.data) return undefined
    const { Ids, Names, Codes, Places } = read.data
    return Ids.map((Id, index) => ({
      Id,
      Name: Names[index]!,
      Tag: siteTag(Codes[index]!, Names[index]!),
      Place: Places[index]!,
    }))
  }, [read.data])
  return { choices, error: read.error, retry: () => void read.refetch() }
}

const textOf = ({ Name, Tag, Place }: Choice): string => `${Name} ${Tag} ${Place}`

/** Ticks over what is saved: the set that is on the screen, and how many differ. */
const useTicks = (saved: readonly number[] | undefined, key: string) => {
  const [ticked, setTicked] = useState<Set<RowKey>>(new Set())
  const [of, setOf] = useState('')
  const savedKey = saved ? `${key}:${saved.join()}` : ''
  useEffect(() => {
    if (saved && savedKey !== of) {
      setTicked(new Set(saved))
      setOf(savedKey)
    }
  }, [saved, savedKey, of])
  const before = new Set<RowKey>(saved)
  const isReady = saved !== undefined && savedKey === of
  const changes = isReady
    ? [...ticked].filter((id) => !before.has(id)).length + [...before].filter((id) => !ticked.has(id)).length
    : 0
  // A row that was just unticked stays in sight, so that a slip can be fixed.
  const isShown = (id: number) => ticked.has(id) || before.has(id)
  return { ticked, setTicked, changes, isReady, isShown, reset: () => setTicked(new Set(saved)) }
}

/** Tells how many ties a save has made and ended. */
const useTold = () => {
  const words = useWords()
  return async (saved: Promise<{ Added: number; Removed: number }>) => {
    try {
      const { Added, Removed } = await saved
      toast.done(words('sites.tied', { added: Added, removed: Removed }))
    } catch (failure) {
      toast.error((failure as CallError).message)
    }
  }
}

/** Assign supervisors to a site, or sites to a supervisor: choose one at the left, tick the others, save as a set. */
export function AssignSitesPage() {
  const [address, setAddress] = useAddress(defaults)
  const set = setAddress as (change: Partial<Address>) => void
  return address.by === 'site' ? (
    <BySite address={address as Address} setAddress={set} />
  ) : (
    <BySupervisor address={address as Address} setAddress={set} />
  )
}

type SideProps = { address: Address; setAddress: (change: Partial<Address>) => void }

function Head({ address, setAddress, label }: SideProps & { label: string }) {
  const words = useWords()
  return (
    <div className={classes.chooserHead}>
      <SegmentedCounts
        label={words('sites.assignTitle')}
        value={address.by as 'supervisor' | 'site'}
        onChange={(by) => setAddress({ ...defaults, by })}
        segments={[
          { value: 'supervisor', label: words('sites.assignBySupervisor') },
          { value: 'site', label: words('sites.assignBySite') },
        ]}
      />
      <SearchBox
        label={label}
        value={address.search}
        onChange={(search) => setAddress({ search, page: 1 })}
        width={320}
        maxLength={100}
      />
    </div>
  )
}

function Actions(props: { changes: number; isRunning: boolean; onCancel: () => void; onSave: () => void }) {
  const words = useWords()
  const { changes } = props
  return (
    <>
      <span role="status" className={classes.unsaved}>
        {changes > 0 && words('sites.unsaved', { count: changes })}
      </span>
      {changes > 0 && (
        <Button variant="subtle" color="gray" data-quiet onClick={props.onCancel}>
          {words('ui.cancel')}
        </Button>
      )}
      <DisabledReason reason={changes === 0 && words('sites.nothingChanged')}>
        <Button loading={props.isRunning} onClick={props.onSave}>
          {words('sites.save')}
        </Button>
      </DisabledReason>
    </>
  )
}

const useSupervisorColumns = (): GridColumn<SupervisorItem>[] => {
  const words = useWords()
  return useMemo(
    () => [
      {
        id: 'Name',
        header: words('sites.people'),
        identity: true,
        minWidth: 160,
        grow: 2,
        detail: (row) => row.EmailAddress,
      },
      {
        id: 'SiteCount',
        header: words('sites.title'),
        width: 96,
        cell: (row) => words('sites.siteCount', { count: row.SiteCount }),
      },
    ],
    [words],
  )
}

const useSiteColumns = (): GridColumn<Choice>[] => {
  const words = useWords()
  return useMemo(
    () => [
      {
        id: 'Name',
        header: words('sites.site'),
        identity: true,
        minWidth: 180,
        grow: 2,
        detail: (row) => row.Place,
      },
      { id: 'Tag', header: words('sites.code'), width: 84 },
    ],
    [words],
  )
}

const useNoPeople = () => {
  const words = useWords()
  return {
    text: words('sites.noSupervisors'),
    next: <PageLink href="/new/admin/add-user">{words('sites.addUser')}</PageLink>,
  }
}

function BySupervisor({ address, setAddress }: SideProps) {
  const words = useWords()
  const programId = useProgramId()
  const { id } = address
  const people = useRead(listSupervisors, {
    params: { programId },
    query: { ...(address.search && { search: address.search }), page: address.page, pageSize },
  })
  const { choices, error, retry } = useChoices(programId)
  const tied = useRead(
    getSupervisorSites,
    { params: { programId, userId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false },
  )
  const tell = useTold()
  const save = useSave(saveSupervisorSites, { refresh: [getSupervisorSites, listSupervisors, getSite] })
  const ticks = useTicks(tied.data?.SiteIds, `user${id}`)
  useLeaveGuard(ticks.changes, ['id', 'by'])
  const supervisorColumns = useSupervisorColumns()
  const siteColumns = useSiteColumns()
  const noPeople = useNoPeople()
  const isFound = finder(address.ticks)
  const shown = choices?.filter(
    (choice) => isFound(textOf(choice)) && (!address.only || ticks.isShown(choice.Id)),
  )
  const person = people.data?.Items.find(({ Id }) => Id === id)
  const submit = () =>
    tell(
      save.run(
        // Save is only shown once somebody is chosen.
        { params: { programId, userId: id! }, body: { SiteIds: [...ticks.ticked].map(Number) } },
        { basedOn: tied.data },
      ),
    )
  return (
    <Page
      title={words('sites.assignTitle')}
      actions={
        id !== null && (
          <Actions
            changes={ticks.changes}
            isRunning={save.isRunning}
            onCancel={ticks.reset}
            onSave={() => void submit()}
          />
        )
      }
    >
      <div className={classes.assign} data-chosen={id !== null || undefined}>
        <section className={classes.chooser} aria-label={words('sites.people')}>
          <Head address={address} setAddress={setAddress} label={words('sites.searchPeople')} />
          <Grid
            id="assign-people"
            label={words('sites.people')}
            columns={supervisorColumns}
            {...fromList(people)}
            rowKey={(row) => row.Id}
            tone={(row) => (row.Id === id ? 'chosen' : undefined)}
            openKey={id ?? undefined}
            onOpen={(row) => setAddress({ id: row.Id, ticks: '', only: false })}
            empty={{
              ...noPeople,
              filters: {
                isFiltered: address.search !== '',
                reset: () => setAddress({ search: '', page: 1 }),
              },
            }}
            noColumnChoice
          />
          {(people.data?.Total ?? 0) > pageSize && (
            <div className={classes.foot}>
              <Pager
                page={address.page}
                pageSize={pageSize}
                // Shown only with a total.
                total={people.data!.Total ?? 0}
                onPage={(page) => setAddress({ page })}
              />
            </div>
          )}
        </section>
        <section className={classes.ticks} aria-label={words('sites.title')}>
          {id === null ? (
            <PageMessage kind="empty" text={words('sites.chooseSupervisor')} />
          ) : (
            <>
              <div className={classes.ticksHead}>
                <h2>{person?.Name ?? words('sites.title')}</h2>
                <span>
                  {words('sites.ticked', {
                    count: ticks.ticked.size,
                    all: (choices?.length ?? 0).toLocaleString('en-US'),
                  })}
                </span>
                <SearchBox
                  label={words('sites.searchSites')}
                  value={address.ticks}
                  onChange={(text) => setAddress({ ticks: text })}
                  width={220}
                  maxLength={100}
                />
                <OnlyTicked address={address} setAddress={setAddress} />
              </div>
              <Grid
                id="assign-sites"
                label={words('sites.title')}
                columns={siteColumns}
                rows={ticks.isReady ? shown : undefined}
                rowKey={(row) => row.Id}
                selection={{ selected: ticks.ticked, onChange: ticks.setTicked }}
                error={error?.message ?? tied.error?.message}
                onRetry={() => {
                  retry()
                  void tied.refetch()
                }}
                empty={{
                  text: words('sites.emptyAll'),
                  filters: {
                    isFiltered: address.ticks !== '' || address.only,
                    reset: () => setAddress({ ticks: '', only: false }),
                  },
                }}
                noColumnChoice
              />
            </>
          )}
        </section>
      </div>
    </Page>
  )
}

function OnlyTicked({ address, setAddress }: SideProps) {
  const words = useWords()
  return (
    <label className={classes.follow}>
      <input
        type="checkbox"
        className="p-tick"
        checked={address.only}
        onChange={(event) => setAddress({ only: event.currentTarget.checked })}
      />
      {words('sites.onlyTicked')}
    </label>
  )
}

function BySite({ address, setAddress }: SideProps) {
  const words = useWords()
  const programId = useProgramId()
  const { id } = address
  const { choices, error, retry } = useChoices(programId)
  const people = useRead(listSupervisors, {
    params: { programId },
    query: { ...(address.ticks && { search: address.ticks }), page: address.ticksPage, pageSize },
  })
  const tied = useRead(
    getSiteSupervisors,
    { params: { programId, siteId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false },
  )
  const tell = useTold()
  const save = useSave(saveSiteSupervisors, { refresh: [getSiteSupervisors, listSupervisors, getSite] })
  const ticks = useTicks(tied.data?.UserIds, `site${id}`)
  useLeaveGuard(ticks.changes, ['id', 'by'])
  const supervisorColumns = useSupervisorColumns()
  const siteColumns = useSiteColumns()
  const noPeople = useNoPeople()
  const isFound = finder(address.search)
  const shown = choices?.filter((choice) => isFound(textOf(choice)))
  const site = choices?.find(({ Id }) => Id === id)
  const submit = () =>
    tell(
      save.run(
        // Save is only shown once a site is chosen.
        { params: { programId, siteId: id! }, body: { UserIds: [...ticks.ticked].map(Number) } },
        { basedOn: tied.data },
      ),
    )
  return (
    <Page
      title={words('sites.assignTitle')}
      actions={
        id !== null && (
          <Actions
            changes={ticks.changes}
            isRunning={save.isRunning}
            onCancel={ticks.reset}
            onSave={() => void submit()}
          />
        )
      }
    >
      <div className={classes.assign} data-chosen={id !== null || undefined}>
        <section className={classes.chooser} aria-label={words('sites.title')}>
          <Head address={address} setAddress={setAddress} label={words('sites.searchSites')} />
          <Grid
            id="assign-site-choice"
            label={words('sites.title')}
            columns={siteColumns}
            rows={shown}
            rowKey={(row) => row.Id}
            tone={(row) => (row.Id === id ? 'chosen' : undefined)}
            openKey={id ?? undefined}
            onOpen={(row) => setAddress({ id: row.Id, ticks: '', ticksPage: 1 })}
            error={error?.message}
            onRetry={retry}
            empty={{
              text: words('sites.emptyAll'),
              filters: { isFiltered: address.search !== '', reset: () => setAddress({ search: '' }) },
            }}
            noColumnChoice
          />
        </section>
        <section className={classes.ticks} aria-label={words('sites.people')}>
          {id === null ? (
            <PageMessage kind="empty" text={words('sites.chooseSite')} />
          ) : (
            <>
              <div className={classes.ticksHead}>
                <h2>{site?.Name ?? words('sites.people')}</h2>
                <span>{words('sites.tickedPeople', { count: ticks.ticked.size })}</span>
                <SearchBox
                  label={words('sites.searchPeople')}
                  value={address.ticks}
                  onChange={(text) => setAddress({ ticks: text, ticksPage: 1 })}
                  width={240}
                  maxLength={100}
                />
              </div>
              <Grid
                id="assign-site-people"
                label={words('sites.people')}
                columns={supervisorColumns}
                rows={ticks.isReady ? people.data?.Items : undefined}
                rowKey={(row) => row.Id}
                selection={{ selected: ticks.ticked, onChange: ticks.setTicked }}
                isLoading={people.isFetching}
                error={people.error?.message ?? tied.error?.message}
                onRetry={() => {
                  void people.refetch()
                  void tied.refetch()
                }}
                empty={{
                  ...noPeople,
                  filters: {
                    isFiltered: address.ticks !== '',
                    reset: () => setAddress({ ticks: '', ticksPage: 1 }),
                  },
                }}
                noColumnChoice
              />
              {(people.data?.Total ?? 0) > pageSize && (
                <div className={classes.foot}>
                  <Pager
                    page={address.ticksPage}
                    pageSize={pageSize}
                    // Shown only with a total.
                    total={people.data!.Total ?? 0}
                    onPage={(ticksPage) => setAddress({ ticksPage })}
                  />
                </div>
              )}
            </>
          )}
        </section>
      </div>
    </Page>
  )
}
