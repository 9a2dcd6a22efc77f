import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import {
  getMenuVisibility,
  listPageNotes,
  listProgramMenuItems,
  menuLevels,
  type ProgramMenuItem,
  saveMenuVisibility,
} from '#contract/menus/menus.ts'
import { getLeftMenu, getProgramMenu } from '#contract/session/session.ts'
import { logFailure } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { queryClient, readKey, useRead, useSave } from '#web/api/use-call.ts'
import { useChosen } from '#web/api/use-chosen.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { useLevelName } from '#web/words/level-name.ts'
import { useWords } from '#web/words/use-words.ts'
import { closeFrame } from './close-frame.ts'
import classes from './menus.module.css'

const menuReads = [listProgramMenuItems, listPageNotes, getLeftMenu, getProgramMenu]

/** What an item is moved in for each level above it, while the list is in the order of the menu. */
const indentPx = 18

/** The menu items and pages of the program; the edit page opens in a frame. */
export function MenuItemsPage() {
  const words = useWords()
  const levelName = useLevelName()
  const programId = useProgramId()
  const items = useRead(listProgramMenuItems, { params: { programId } })
  const [edited, setEdited] = useState<ProgramMenuItem>()
  const [sort, setSort] = useState('')

  useEffect(() => {
    const close = (event: MessageEvent) => {
      if (event.origin !== location.origin || event.data !== closeFrame) return
      setEdited(undefined)
      for (const read of menuReads) void queryClient.invalidateQueries({ queryKey: readKey(read) })
    }
    addEventListener('message', close)
    return () => removeEventListener('message', close)
  }, [])

  const columns = useMemo((): GridColumn<ProgramMenuItem>[] => {
    const access = (item: ProgramMenuItem): string =>
      menuLevels
        .filter(({ Id }) => item.AccessLevels.includes(Id))
        .map(({ Id }) => levelName(Id))
        .join(', ') || words('menus.none')
    return [
      {
        id: 'LinkOrder',
        header: words('menus.order'),
        width: 88,
        align: 'end',
        sortable: true,
        sortBy: (item) => (item.IsMenuItem ? item.LinkOrder : null),
        text: (item) => (item.IsMenuItem ? String(item.LinkOrder) : ''),
        cell: (item) => (item.IsMenuItem ? item.LinkOrder : <span className={classes.quiet}>–</span>),
      },
      {
        id: 'PageUrl',
        header: words('menus.page'),
        minWidth: 200,
        sortable: true,
        text: (item) =>
          item.PageUrl === '#' ? words('menus.heading') : item.PageUrl.replace(/^\/new\//, '/'),
        cell: (item) =>
          item.PageUrl === '#' ? (
            <span className={classes.quiet}>{words('menus.heading')}</span>
          ) : (
            item.PageUrl.replace(/^\/new\//, '/')
          ),
      },
      {
        id: 'LinkName',
        header: words('menus.menuText'),
        identity: true,
        sortable: true,
        text: ({ LinkName }) => LinkName,
        cell: ({ LinkName, LinkLevel, IsMenuItem }) =>
          sort || !IsMenuItem ? (
            LinkName
          ) : (
            <span style={{ paddingInlineStart: LinkLevel * indentPx }}>{LinkName}</span>
          ),
      },
      {
        id: 'Title',
        header: words('menus.pageTitle'),
        sortable: true,
        text: (item) => item.Title || words('menus.own'),
        cell: (item) => item.Title || <span className={classes.quiet}>{words('menus.own')}</span>,
      },
      { id: 'AccessLevels', header: words('menus.access'), grow: 1.4, text: access, cell: access },
    ]
  }, [words, levelName, sort])
  return (
    <Page
      title={words('menus.itemsTitle')}
      count={items.data && words('menus.count', { count: items.data.length })}
      actions={<VisibleToProgram programId={programId} />}
    >
      <Grid
        id="menu-items"
        label={words('menus.itemsTitle')}
        columns={columns}
        {...fromList(items)}
        rowKey={(item) => item.Id}
        sortHere
        hasOwnOrder
        sort={sort}
        onSort={setSort}
        empty={{ text: words('menus.empty') }}
        onOpen={setEdited}
        actions={(item) => [editAction(() => setEdited(item))]}
      />
      <Dialog
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={words('menus.editTitle', { name: edited?.LinkName ?? '' })}
        width={860}
        flush
        stayOnOutsideClick
      >
        {edited && (
          <iframe
            className={classes.frame}
            title={words('menus.editTitle', { name: edited.LinkName })}
            src={`${pageAddress('admin/menu-items/edit')}?id=${edited.Id}`}
          />
        )}
      </Dialog>
    </Page>
  )
}

/** 'Visible To Program': a failure is logged, the tick goes back, and a sign says so. */
function VisibleToProgram({ programId }: { programId: number }) {
  const words = useWords()
  const visibility = useRead(getMenuVisibility, { params: { programId } })
  const save = useSave(saveMenuVisibility, { refresh: [getMenuVisibility, ...menuReads] })
  const [hasFailed, setFailed] = useState(false)
  const { shown, choose } = useChosen<number, boolean>()
  const change = async (value: boolean) => {
    try {
      await save.run({ params: { programId }, query: { value } })
      setFailed(false)
    } catch (error) {
      logFailure('Changing whether the program sees its menu', error)
      setFailed(true)
    }
  }
  if (!visibility.data) return null
  return (
    <label className={classes.visible} title={words('menus.visibleHint')}>
      {hasFailed && (
        <span className={classes.warning} title={words('menus.notSaved')}>
          <IconAlertTriangle size={16} aria-hidden />
          <span className="p-sr-only">{words('menus.notSaved')}</span>
        </span>
      )}
      <input
        type="checkbox"
        className="p-tick"
        checked={shown(programId, visibility.data.Value)}
        aria-describedby="visible-hint"
        onChange={(event) => {
          const value = event.currentTarget.checked
          void choose(programId, value, () => change(value))
        }}
      />
      {words('menus.visibleToProgram')}
      <span id="visible-hint" hidden>
        {words('menus.visibleHint')}
      </span>
    </label>
  )
}
