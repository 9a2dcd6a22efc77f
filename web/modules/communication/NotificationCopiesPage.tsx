import { useMemo } from 'react'
import { listAreas } from '#contract/areas/areas.ts'
import {
  createNotificationCopy,
  deleteNotificationCopy,
  listNotificationCopies,
  type NotificationCopy,
  updateNotificationCopy,
} from '#contract/communication/notification-copies.ts'
import { Level } from '#contract/core/levels.ts'
import { listUsers } from '#contract/people/people.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { SelectCell } from '#web/ui/grid/InlineCells.tsx'
import { AddNew, InlineGrid, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

type Draft = Omit<NotificationCopy, 'UserId'> & { UserId: number | null }

/** Notifications: who gets copies of the emails to the people of an area. Failures are logged and marked. */
export function NotificationCopiesPage() {
  const words = useWords()
  const params = { programId: useProgramId() }
  const copies = useRead(listNotificationCopies, { params })
  const people = useRead(listUsers, { params, query: {} }, { staleMs: 60_000 })
  const areas = useRead(listAreas, { params, query: {} }, { staleMs: 60_000 })
  const refresh = { refresh: [listNotificationCopies] }
  const create = useSave(createNotificationCopy, refresh)
  const update = useSave(updateNotificationCopy, refresh)
  const remove = useSave(deleteNotificationCopy, refresh)
  const areaOf = (row: Draft) =>
    row.AreaId === null ? words('communication.allAreas') : (row.AreaName ?? '')
  const inline = useInlineEdit<Draft>({
    rowKey: (row) => row.Id,
    blank: () => ({ Id: 0, UserId: null, UserName: '', AreaId: null, AreaName: null }),
    check: ({ UserId }) =>
      UserId === null ? { UserName: words('communication.required') } : ({} as Record<string, string>),
    save: ({ Id, UserId, AreaId }, isNew, basedOn) => {
      const body = { Id, UserId: UserId ?? 0, AreaId }
      return isNew
        ? create.run({ params, body })
        : update.run({ params: { ...params, notificationId: Id }, body }, { basedOn })
    },
    remove: (row) => remove.run({ params: { ...params, notificationId: row.Id } }),
    question: (row) => words('communication.deleteCopyQuestion', { name: row.UserName }),
    deleted: (row) => words('communication.deletedCopy', { name: row.UserName }),
    marks: { log: 'Changing a notification', text: words('communication.copyFailed'), tells: [409, 422] },
  })
  const staff = useMemo(
    () =>
      (people.data ?? [])
        .filter(({ AccessLevel }) => AccessLevel > Level.Student)
        .map(({ Id, FirstName, LastName }) => ({ value: Id, label: listedName({ FirstName, LastName }) })),
    [people.data],
  )
  return (
    <Page
      title={words('communication.copies')}
      count={words('communication.copiesHint')}
      actions={<AddNew inline={inline} label={words('communication.addNew')} />}
      footer={copies.data && words('communication.copyCount', { count: copies.data.length })}
      inset
    >
      <InlineGrid<Draft>
        id="notification-copies"
        label={words('communication.copies')}
        inline={inline}
        {...fromList(copies)}
        sortHere
        empty={{ text: words('communication.noCopies') }}
        columns={[
          {
            id: 'Id',
            header: words('communication.id'),
            width: 90,
            sortable: true,
            cell: (row) => (row.Id === 0 ? '' : row.Id),
          },
          {
            id: 'UserName',
            header: words('communication.userName'),
            identity: true,
            sortable: true,
            edit: (editor) => (
              <SelectCell
                editor={editor}
                field="UserId"
                label={words('communication.userName')}
                options={staff}
                none={words('communication.chooseUser')}
              />
            ),
          },
          {
            id: 'AreaId',
            header: words('communication.area'),
            sortable: true,
            sortBy: areaOf,
            cell: areaOf,
            edit: (editor) => (
              <SelectCell
                editor={editor}
                field="AreaId"
                label={words('communication.area')}
                options={(areas.data ?? []).map(({ Id, Name }) => ({ value: Id, label: Name }))}
                none={words('communication.allAreas')}
              />
            ),
          },
        ]}
      />
    </Page>
  )
}
