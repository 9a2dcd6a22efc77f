import {
  areasOf,
  listSuperAdmins,
  type SuperAdmin,
  setSuperAdminActive,
} from '#contract/identity/super-admins.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone, useUser } from '#web/api/use-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn, RowAction } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Super admins: who they are, which areas each has, and who still signs in. */
export function SuperAdminsPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const timeZone = useTimeZone()
  const me = useUser()
  const list = useRead(listSuperAdmins)
  const setActive = useSave(setSuperAdminActive, { refresh: [listSuperAdmins] })
  const nameOf = ({ FirstName, LastName, UserName }: SuperAdmin) =>
    [LastName, FirstName].filter(Boolean).join(', ') || UserName
  const told = ({ Areas }: SuperAdmin) =>
    areasOf(Areas)
      .map((name) => words(`superAdmins.${name}`))
      .join(', ') || words('superAdmins.allAreas')
  const change = (row: SuperAdmin, IsActive: boolean) =>
    attempt(async () => {
      await setActive.run({ params: { superAdminId: row.Id }, body: { IsActive } })
      toast.done(
        words(IsActive ? 'superAdmins.reactivated' : 'superAdmins.deactivated', { name: nameOf(row) }),
      )
    })
  const deactivate = async (row: SuperAdmin) => {
    const isSure = await confirm({
      text: words('superAdmins.deactivateQuestion', { name: nameOf(row) }),
      verb: words('superAdmins.deactivate'),
      danger: true,
    })
    if (isSure) await change(row, false)
  }
  const open = (id: number | null) =>
    navigate('/admin/super-admins/edit', id === null ? {} : { search: { id } })
  const actions = (row: SuperAdmin): RowAction[] => {
    const reason = !row.CanEdit && words(row.Id === me.Id ? 'superAdmins.yourself' : 'superAdmins.beyond')
    return [
      editAction(() => open(row.Id), { reason }),
      row.IsActive
        ? {
            label: words('superAdmins.deactivate'),
            tone: 'danger',
            reason,
            onRun: () => void deactivate(row),
          }
        : { label: words('superAdmins.reactivate'), reason, onRun: () => void change(row, true) },
    ]
  }
  const columns: GridColumn<SuperAdmin>[] = [
    {
      id: 'Name',
      header: words('superAdmins.name'),
      identity: true,
      sortable: true,
      grow: 2,
      sortBy: nameOf,
      text: nameOf,
      cell: nameOf,
      detail: (row) => (row.IsActive ? row.UserName : words('superAdmins.inactive')),
    },
    { id: 'EmailAddress', header: words('superAdmins.email'), sortable: true, grow: 2 },
    {
      id: 'Areas',
      header: words('superAdmins.areas'),
      sortable: true,
      grow: 3,
      sortBy: told,
      cell: told,
    },
    {
      id: 'LastSignInDate',
      header: words('superAdmins.lastSignIn'),
      sortable: true,
      width: 190,
      sortBy: (row) => row.LastSignInDate ?? '',
      cell: (row) =>
        row.LastSignInDate ? formatInstant(row.LastSignInDate, timeZone) : words('superAdmins.never'),
    },
  ]
  const count = list.data && words('superAdmins.count', { count: list.data.length })
  return (
    <Page
      title={words('superAdmins.title')}
      count={count}
      intro={words('superAdmins.intro')}
      actions={<AddNew onClick={() => open(null)} />}
      footer={count}
    >
      <Grid
        id="super-admins"
        label={words('superAdmins.title')}
        {...fromList(list)}
        rowKey={(row) => row.Id}
        columns={columns}
        sortHere
        onOpen={(row) => open(row.Id)}
        actions={actions}
        empty={{ text: words('superAdmins.title') }}
      />
    </Page>
  )
}
