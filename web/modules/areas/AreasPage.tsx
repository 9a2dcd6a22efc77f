import { useState } from 'react'
import { type Area, deleteArea, listAreas, toggleArea, updateArea } from '#contract/areas/areas.ts'
import { CallError, logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId, useUser } from '#web/api/use-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { confirm } from '#web/ui/confirm.ts'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Switch } from '#web/ui/inputs.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './areas.module.css'

/** Manage Areas: names, status, who is notified. */
export function AreasPage() {
  const words = useWords()
  const programId = useProgramId()
  const user = useUser()
  const mayWrite = useMay()('areas.write')
  const navigate = usePageNavigate()
  const areas = useRead(listAreas, { params: { programId }, query: { all: true } })
  const toggle = useSave(toggleArea, { refresh: [listAreas] })
  const update = useSave(updateArea, { refresh: [listAreas] })
  const remove = useSave(deleteArea, { refresh: [listAreas] })
  const [failed, setFailed] = useState<ReadonlySet<number>>(new Set())

  /** Failures of deleting and toggling are logged and marked at the row; only "in use" is shown as a message. */
  const attempt = async (area: Area, what: string, work: () => Promise<unknown>) => {
    try {
      await work()
      setFailed((rows) => new Set([...rows].filter((id) => id !== area.Id)))
    } catch (error) {
      if (error instanceof CallError && error.code === 'in_use')
        toast.error({ title: words('areas.inUseTitle'), detail: error.message })
      else {
        logFailure(what, error)
        setFailed((rows) => new Set([...rows, area.Id]))
      }
    }
  }
  const at = (area: Area) => ({ params: { programId, areaId: area.Id } })
  const showInUse = (area: Area) =>
    toast.error({
      title: words('areas.inUseTitle'),
      detail: words('areas.inUse', { name: area.Name, count: area.UserCount }),
    })
  const changeStatus = async (area: Area) => {
    if (area.IsActive && area.UserCount > 0) showInUse(area)
    else if (await confirm(words('areas.toggleQuestion')))
      await attempt(area, 'Toggling an area', () => toggle.run(at(area)))
  }
  const deleteIt = async (area: Area) => {
    if (area.UserCount > 0) showInUse(area)
    else if (
      await confirm({ text: words('areas.deleteQuestion'), verb: words('areas.delete'), danger: true })
    )
      await attempt(area, 'Deleting an area', () => remove.run(at(area)))
  }
  const changeCopy = (area: Area) =>
    attempt(area, 'Changing the notifications of an area', () =>
      update.run({
        ...at(area),
        body: {
          Name: area.Name,
          IsActive: area.IsActive,
          AreNotificationsEnabled: !area.AreNotificationsEnabled,
        },
      }),
    )
  const open = (area?: Area) =>
    navigate('/admin/manage-areas/edit', { ...(area && { search: { id: area.Id } }), state: { area } })

  const columns: GridColumn<Area>[] = [
    ...(user.isSuperAdmin ? [{ id: 'Id', header: words('areas.id'), width: 90, sortable: true }] : []),
    { id: 'Name', header: words('areas.name'), identity: true, sortable: true },
    {
      id: 'IsActive',
      header: words('areas.status'),
      width: 140,
      sortable: true,
      sortBy: (area) => (area.IsActive ? 0 : 1),
      text: (area) => words(area.IsActive ? 'areas.active' : 'areas.inactive'),
      cell: (area) => (
        <button
          type="button"
          className={classes.status}
          data-active={area.IsActive}
          disabled={!mayWrite}
          onClick={() => void changeStatus(area)}
        >
          {words(area.IsActive ? 'areas.active' : 'areas.inactive')}
        </button>
      ),
    },
    {
      id: 'AreNotificationsEnabled',
      header: words('areas.copyNotifications'),
      width: 330,
      text: (area) => words(area.AreNotificationsEnabled ? 'areas.on' : 'areas.off'),
      cell: (area) => (
        <Switch
          size="sm"
          label={words(area.AreNotificationsEnabled ? 'areas.on' : 'areas.off')}
          aria-label={`${words('areas.copyNotifications')}: ${area.Name}`}
          checked={area.AreNotificationsEnabled}
          disabled={!mayWrite}
          onChange={() => void changeCopy(area)}
        />
      ),
    },
  ]
  const addNew = <AddNew reason={!mayWrite && words('shell.notAllowedDetail')} onClick={() => open()} />
  return (
    <Page
      title={words('areas.title')}
      count={areas.data && words('areas.count', { count: areas.data.length })}
      actions={addNew}
    >
      <Grid
        id="areas"
        label={words('areas.title')}
        columns={columns}
        {...fromList(areas)}
        rowKey={(area) => area.Id}
        sortHere
        empty={{ text: words('areas.empty'), next: addNew }}
        warning={(area) => failed.has(area.Id) && words('areas.toggleFailed')}
        {...(mayWrite && {
          onOpen: open,
          actions: (area: Area) => [editAction(() => open(area)), deleteAction(() => void deleteIt(area))],
        })}
      />
    </Page>
  )
}
