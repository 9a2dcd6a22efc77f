import { useMemo, useState } from 'react'
import { listOwnAccounts } from '#contract/identity/identity.ts'
import {
  listTestAccess,
  type TestAccessRow,
  type TestMode,
  testModes,
  toggleTestAccess,
} from '#contract/identity/test-access.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useFailedRows } from '#web/api/use-failed-rows.ts'
import { useUser } from '#web/api/use-state.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

const has = { coord: 'HasCoordAccess', admin: 'HasAdminAccess' } as const
const labelOf = ({ CollegeName, ProgramName }: TestAccessRow): string => `${CollegeName} — ${ProgramName}`
const keyOf = ({ ProgramId }: TestAccessRow, mode: TestMode): string => `${ProgramId} ${mode}`

/** Test Users Access: which programs admit their test users. Ticks are saved at once. */
export function TestAccessPage() {
  const words = useWords()
  const { IsEmailAddressConfirmed } = useUser()
  const [{ search }, setAddress] = useAddress({ search: '' })
  const list = useRead(listTestAccess, { query: { search } })
  const { run } = useSave(toggleTestAccess, { refresh: [listTestAccess, listOwnAccounts] })
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set())
  const { failed, attempt } = useFailedRows<number>()

  const columns = useMemo((): GridColumn<TestAccessRow>[] => {
    /** A failed toggle is logged, the tick goes back to what is true, and the row is marked. */
    const toggle = async (row: TestAccessRow, mode: TestMode) => {
      const key = keyOf(row, mode)
      setRunning((keys) => new Set([...keys, key]))
      await attempt(row.ProgramId, 'Toggling the access of a test user', () =>
        run({ params: { programId: row.ProgramId }, query: { mode } }),
      )
      setRunning((keys) => new Set([...keys].filter((each) => each !== key)))
    }
    return [
      { id: 'ProgramId', header: words('testAccess.id'), width: 100, sortable: true },
      {
        id: 'Name',
        header: words('testAccess.name'),
        identity: true,
        sortable: true,
        sortBy: labelOf,
        cell: labelOf,
        text: labelOf,
      },
      ...testModes.map((mode): GridColumn<TestAccessRow> => {
        const name = words(`testAccess.${mode}`)
        return {
          id: has[mode],
          header: name,
          width: 150,
          sortable: true,
          sortBy: (row) => (row[has[mode]] ? 0 : 1),
          cell: (row) => {
            const isRunning = running.has(keyOf(row, mode))
            const isRefused = !IsEmailAddressConfirmed && !row[has[mode]]
            return (
              <DisabledReason reason={isRefused && words('testAccess.confirmFirst')}>
                <input
                  type="checkbox"
                  className="p-tick"
                  checked={row[has[mode]] !== isRunning}
                  aria-busy={isRunning}
                  aria-label={words('testAccess.toggle', { mode: name, name: labelOf(row) })}
                  onChange={() => {
                    if (!isRefused && !isRunning) void toggle(row, mode)
                  }}
                />
              </DisabledReason>
            )
          },
        }
      }),
    ]
  }, [words, running, run, IsEmailAddressConfirmed, attempt])

  return (
    <Page
      title={words('testAccess.title')}
      count={list.data && words('testAccess.count', { count: list.data.length })}
      intro={words('testAccess.intro')}
      filters={
        <FilterBar>
          <SearchBox
            label={words('testAccess.search')}
            value={search}
            maxLength={255}
            onChange={(text) => setAddress({ search: text })}
          />
        </FilterBar>
      }
      footer={list.data && words('testAccess.count', { count: list.data.length })}
    >
      <Grid
        id="test-users-access"
        label={words('testAccess.title')}
        rows={list.data}
        rowKey={(row) => row.ProgramId}
        columns={columns}
        sortHere
        noColumnChoice
        isLoading={list.isFetching && running.size === 0}
        error={list.error?.message}
        onRetry={() => void list.refetch()}
        empty={{
          text: words('programs.noneYet'),
          filters: { isFiltered: search !== '', reset: () => setAddress({ search: '' }) },
        }}
        warning={(row) => failed.has(row.ProgramId) && words('testAccess.failed')}
      />
    </Page>
  )
}
