import { IconEye, IconFileImport, IconMail, IconPencil, IconUserCheck, IconUserX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { listAreas } from '#contract/areas/areas.ts'
import { Level, levels } from '#contract/core/levels.ts'
import { removeAuthenticator } from '#contract/identity/authenticator.ts'
import { viewAs } from '#contract/identity/identity.ts'
import {
  endUserSessions,
  listCohorts,
  listStudentLevels,
  listUsers,
  mailPasswordLink,
  reactivateUser,
  searchUsers,
  type UserRow,
} from '#contract/people/people.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { useOpenAddress, usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId, useUser } from '#web/api/use-state.ts'
import { StudentLink, useStudentAddress } from '#web/shared/StudentLink.tsx'
import { useComeBack } from '#web/shared/use-come-back.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn, RowAction } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { levelName } from '#web/words/level-name.ts'
import { useTerm, useWords } from '#web/words/use-words.ts'
import { LeavingDialog } from './LeavingDialog.tsx'
import { RegistrantDialog } from './RegistrantDialog.tsx'

const pageSize = 50
/** Who has a record of hours, shifts and evaluations to look at. */
const isStudent = ({ AccessLevel }: UserRow): boolean =>
  AccessLevel === Level.Student || AccessLevel === Level.Alumnus
const defaults = {
  search: '',
  level: [] as number[],
  area: [] as number[],
  studentLevel: [] as number[],
  cohort: null as string | null,
  status: 'active',
  sort: 'LastName',
  page: 1,
}

/** Manage users: search, filters, and everything that is done with an account. */
export function UsersPage() {
  const words = useWords()
  const term = useTerm()
  const navigate = usePageNavigate()
  const programId = useProgramId()
  const me = useUser()
  const may = useMay()
  const openAddress = useOpenAddress()
  const studentAddress = useStudentAddress()
  const mayWrite = may('people.write')
  const mayView = may('people.view-as')
  const mayWriteTo = may('mail.send')
  const comeBack = useComeBack(programId)
  const [chosen, setLeaver] = useState<UserRow>()
  // From the page of a student, who is then in this list.
  const [{ leaves }, setLeaves] = useAddress({ leaves: null as number | null })
  const [decision, setDecision] = useState<{ registrant: UserRow; isApproval: boolean }>()
  const { at, filter, reset, isFiltered, paging, sorting, pager } = useListAddress(
    searchUsers,
    defaults,
    pageSize,
  )
  const inProgram = { params: { programId } }
  const users = useRead(searchUsers, {
    ...inProgram,
    query: {
      search: at.search,
      AccessLevels: at.status === 'waiting' ? [Level.Registrant] : (at.level as number[]),
      AreaIds: at.area as number[],
      StudentLevelIds: at.studentLevel as number[],
      ...(at.cohort !== null && { Cohort: String(at.cohort) }),
      IsActive: at.status !== 'inactive',
      ...paging,
    },
  })
  const leaver = chosen ?? users.data?.Items.find(({ Id }) => Id === Number(leaves ?? 0))
  const stopLeaving = () => {
    setLeaver(undefined)
    setLeaves({ leaves: null })
  }
  const areas = useRead(listAreas, { ...inProgram, query: {} }, { staleMs: 300_000 })
  const studentLevels = useRead(listStudentLevels, inProgram, { staleMs: 300_000 })
  const cohorts = useRead(listCohorts, inProgram, { staleMs: 300_000 })
  const refresh = { refresh: [searchUsers, listUsers] }
  const reactivate = useSave(reactivateUser, refresh)
  const mailLink = useSave(mailPasswordLink)
  const endSessions = useSave(endUserSessions)
  const view = useSave(viewAs)
  const takeAuthenticator = useSave(removeAuthenticator, refresh)
  const options = (list: { Id: number; Name: string }[] | undefined) =>
    (list ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))
  const open = (row: UserRow) => navigate('/admin/manage-users/edit', { search: { id: row.Id } })
  const doAndTell = (work: () => Promise<unknown>, title: string) =>
    attempt(async () => {
      await work()
      toast.done(title)
    })
  const actions = (row: UserRow): RowAction[] => {
    const at = { params: { programId, userId: row.Id } }
    const name = `${row.FirstName} ${row.LastName}`
    const reason = row.AccessLevel > me.AccessLevel && words('people.higher')
    const giveBack = () => void doAndTell(() => reactivate.run(at), words('people.reactivated', { name }))
    const takeAway = async () => {
      const isSure = await confirm({
        text: words('people.removeQuestion', { name }),
        verb: words('people.removeAuthenticator'),
        danger: true,
      })
      if (isSure)
        void doAndTell(() => takeAuthenticator.run(at), words('people.authenticatorRemoved', { name }))
    }
    const endAll = async () => {
      const isSure = await confirm({
        text: words('people.endSessionsQuestion', { name }),
        verb: words('people.endSessions'),
        danger: true,
      })
      if (isSure) void doAndTell(() => endSessions.run(at), words('people.sessionsEnded', { name }))
    }
    const see = () => attempt(async () => location.assign((await view.run(at)).RedirectTo))
    const decisions: RowAction[] =
      row.AccessLevel === Level.Registrant && row.IsActive
        ? [
            {
              label: words('people.approve'),
              icon: <IconUserCheck size={16} stroke={1.75} />,
              quick: true,
              reason: !row.IsEmailAddressConfirmed && words('people.unconfirmed'),
              onRun: () => setDecision({ registrant: row, isApproval: true }),
            },
            {
              label: words('people.decline'),
              icon: <IconUserX size={16} stroke={1.75} />,
              onRun: () => setDecision({ registrant: row, isApproval: false }),
            },
          ]
        : []
    return [
      ...decisions,
      ...(isStudent(row)
        ? [
            {
              label: words('people.viewRecord'),
              icon: <IconEye size={16} stroke={1.75} />,
              onRun: () => openAddress(studentAddress(row.Id)),
            },
          ]
        : []),
      {
        label: words('people.edit'),
        icon: <IconPencil size={16} stroke={1.75} />,
        quick: decisions.length === 0,
        onRun: () => open(row),
      },
      ...(mayWriteTo
        ? [
            {
              label: words('people.sendEmail'),
              icon: <IconMail size={16} stroke={1.75} />,
              reason: !row.IsActive
                ? words('people.inactiveGetsNone')
                : !row.EmailAddress && words('people.noEmail'),
              onRun: () =>
                navigate('/admin/emails', {
                  search: { i: row.Id },
                  state: { returnUrl: location.pathname + location.search },
                }),
            },
          ]
        : []),
      {
        label: words('people.mailLink'),
        reason,
        onRun: () =>
          void doAndTell(() => mailLink.run(at), words('people.linkMailed', { email: row.EmailAddress })),
      },
      {
        label: words('people.endSessions'),
        reason,
        onRun: () => void endAll(),
      },
      ...(row.HasAuthenticator
        ? [{ label: words('people.removeAuthenticator'), reason, onRun: () => void takeAway() }]
        : []),
      ...(mayView && row.IsActive
        ? [
            {
              label: words('people.viewAs'),
              reason: row.Id === me.Id ? words('people.own') : reason,
              onRun: () => void see(),
            },
          ]
        : []),
      {
        label: words('people.mergeAction'),
        reason,
        onRun: () => navigate('/admin/merge-accounts', { search: { kept: row.Id } }),
      },
      ...(row.LeavesOn
        ? [{ label: words('people.takeBackLeaving'), reason, onRun: () => void comeBack(row) }]
        : []),
      row.IsActive
        ? {
            label: words(row.LeavesOn ? 'people.changeLastDay' : 'people.deactivate'),
            tone: 'danger',
            reason: row.Id === me.Id ? words('people.own') : reason,
            onRun: () => setLeaver(row),
          }
        : { label: words('people.reactivate'), reason, onRun: () => void comeBack(row) },
      ...(row.IsActive && row.IsFrozen
        ? [{ label: words('people.openAgain'), reason, onRun: giveBack }]
        : []),
    ]
  }
  const columns = useMemo<GridColumn<UserRow>[]>(
    () => [
      {
        id: 'LastName',
        header: words('people.lastName'),
        identity: true,
        sortable: true,
        grow: 2,
        cell: (row) =>
          isStudent(row) ? <StudentLink id={row.Id}>{listedName(row)}</StudentLink> : listedName(row),
        text: (row) => listedName(row),
        detail: (row) => row.UserName,
      },
      {
        id: 'AccessLevel',
        header: words('people.level'),
        sortable: true,
        width: 170,
        cell: (row) => levelName(row.AccessLevel, term),
        detail: (row) =>
          row.IsFrozen
            ? words('people.frozen')
            : row.LeavesOn
              ? words('people.leavesOn', { date: formatDate(row.LeavesOn) })
              : row.AccessLevel === Level.Registrant &&
                row.IsActive &&
                words(row.IsEmailAddressConfirmed ? 'people.waiting' : 'people.unconfirmed'),
      },
      { id: 'EmailAddress', header: words('people.email'), grow: 2 },
      { id: 'StudentLevel', header: words('people.studentLevel'), width: 130 },
      { id: 'StudentNumber', header: words('people.studentNumber'), sortable: true, width: 130 },
      { id: 'Cohort', header: words('people.cohort'), sortable: true, width: 90 },
      { id: 'Area', header: words('people.area'), width: 150 },
      { id: 'UserName', header: words('people.userName'), sortable: true, hidden: true },
    ],
    [words, term],
  )
  const total = users.data?.Total ?? 0
  const add = mayWrite && <AddNew onClick={() => navigate('/admin/add-user')} />
  return (
    <Page
      title={words('people.title')}
      count={users.data && words('people.count', { count: total })}
      actions={
        <>
          {mayWrite && (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
              onClick={() => navigate('/admin/imports', { search: { kind: 'students' } })}
            >
              {words('people.import')}
            </Button>
          )}
          {add}
        </>
      }
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SearchBox
            label={words('people.search')}
            value={at.search}
            onChange={(search) => filter({ search })}
            width={280}
          />
          <SelectChip
            name={words('people.level')}
            multi
            options={levels
              .filter(({ Id }) => Id !== Level.SuperAdmin && Id !== Level.Unknown)
              .map(({ Id }) => ({ value: String(Id), label: levelName(Id, term) }))}
            value={(at.level as number[]).map(String)}
            onChange={(ids) => filter({ level: ids.map(Number) })}
          />
          <SelectChip
            name={words('people.area')}
            multi
            options={options(areas.data)}
            value={(at.area as number[]).map(String)}
            onChange={(ids) => filter({ area: ids.map(Number) })}
          />
          <SelectChip
            name={words('people.studentLevel')}
            multi
            options={options(studentLevels.data)}
            value={(at.studentLevel as number[]).map(String)}
            onChange={(ids) => filter({ studentLevel: ids.map(Number) })}
          />
          <SelectChip
            name={words('people.cohort')}
            options={(cohorts.data ?? []).map((cohort) => ({ value: cohort, label: cohort }))}
            value={at.cohort === null ? null : String(at.cohort)}
            onChange={(cohort) => filter({ cohort })}
          />
          <SelectChip
            name={words('people.status')}
            fixed
            options={[
              { value: 'active', label: words('people.active') },
              { value: 'waiting', label: words('people.waiting') },
              { value: 'inactive', label: words('people.inactive') },
            ]}
            value={at.status}
            onChange={(status) => filter({ status: status ?? 'active' })}
          />
        </FilterBar>
      }
      footer={users.data && words('people.count', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="users"
        label={words('people.title')}
        columns={columns}
        {...fromList(users)}
        rowKey={(row) => row.Id}
        {...sorting}
        empty={{ text: words('people.noUsers'), next: add, filters: { isFiltered, reset } }}
        {...(mayWrite && { onOpen: open, actions })}
      />
      {leaver && <LeavingDialog programId={programId} person={leaver} onClose={stopLeaving} />}
      {decision && (
        <RegistrantDialog programId={programId} {...decision} onClose={() => setDecision(undefined)} />
      )}
    </Page>
  )
}
