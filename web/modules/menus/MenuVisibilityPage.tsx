import { IconAlertTriangle } from '@tabler/icons-react'
import { type KeyboardEvent, memo, useCallback, useMemo, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import { type AdminMenuItem, listAdminMenuItems, saveAdminMenuItems } from '#contract/menus/menus.ts'
import { progTypesOf, typesOf } from '#contract/menus/menus-rules.ts'
import { listProgramTypes } from '#contract/programs/program-kinds.ts'
import { getLeftMenu } from '#contract/session/session.ts'
import { logFailure } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { EmptyList } from '#web/ui/EmptyList.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { useUnsaved } from '#web/ui/form/unsaved.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './menus.module.css'
import { Tick, VisibilityCards } from './VisibilityCards.tsx'

interface Type {
  Id: number
  Name: string
}

/** Setup Visibility for Menu Items: items down, types of programs across. */
export function MenuVisibilityPage() {
  const words = useWords()
  const items = useRead(listAdminMenuItems)
  const types = useRead(listProgramTypes, {}, { staleMs: 60_000 })
  const error = items.error ?? types.error
  if (error)
    return (
      <Page title={words('menus.visibilityTitle')}>
        <PageMessage
          kind="error"
          text={error.message}
          onRetry={() => void Promise.all([items.refetch(), types.refetch()])}
        />
      </Page>
    )
  if (!items.data || !types.data) return <Page title={words('menus.visibilityTitle')} />
  return <Matrix items={items.data} types={types.data} />
}

function Matrix({ items, types }: { items: AdminMenuItem[]; types: Type[] }) {
  const words = useWords()
  const isPhone = useIsPhone()
  const maySave = useMay()('menus.set-visibility')
  const save = useSave(saveAdminMenuItems, { refresh: [listAdminMenuItems, getLeftMenu] })
  const [changes, setChanges] = useState<ReadonlyMap<number, string>>(new Map())
  const [failed, setFailed] = useState<ReadonlySet<number>>(new Set())
  const [search, setSearch] = useState('')
  const all = useMemo(() => types.map(({ Id }) => Id), [types])
  const kept = useMemo(() => new Map(items.map(({ Id, ProgTypes }) => [Id, ProgTypes])), [items])
  useUnsaved({ count: changes.size, hasDraft: false, keys: [] })

  const set = useCallback(
    (values: readonly (readonly [number, string])[]) => {
      setChanges((before) => {
        const next = new Map(before)
        for (const [id, value] of values)
          if (kept.get(id) === value) next.delete(id)
          else next.set(id, value)
        return next
      })
      setFailed(new Set())
    },
    [kept],
  )
  const typesFor = (item: AdminMenuItem): string => changes.get(item.Id) ?? item.ProgTypes
  const isOn = (item: AdminMenuItem, type: number): boolean => typesOf(typesFor(item))?.has(type) ?? true

  /** Failed saves are logged, and the rows that wait for it marked. */
  const saveAll = async () => {
    try {
      await save.run({ body: items.map((item) => ({ Id: item.Id, ProgTypes: typesFor(item) })) })
      setChanges(new Map())
      setFailed(new Set())
      toast.done(words('menus.saved'))
    } catch (error) {
      logFailure('Saving the visibility of menu items', error)
      setFailed(new Set(changes.keys()))
    }
  }
  const toggleColumn = (type: number) => {
    const turnsOn = !items.every((item) => isOn(item, type))
    set(
      items.map((item) => {
        const chosen = new Set(typesOf(typesFor(item)) ?? all)
        if (turnsOn) chosen.add(type)
        else chosen.delete(type)
        return [item.Id, progTypesOf(chosen, all)] as const
      }),
    )
  }
  const isFound = finder(search)
  const shown = items.filter(({ LinkName }) => isFound(LinkName))
  return (
    <Page
      title={words('menus.visibilityTitle')}
      count={words('menus.count', { count: items.length })}
      intro={words(maySave ? 'menus.visibilityIntro' : 'menus.visibilityReadOnly')}
      filters={<SearchBox value={search} onChange={setSearch} label={words('menus.findItem')} />}
      actions={
        <>
          <span role="status" className={classes.unsaved}>
            {changes.size > 0 && words('menus.unsaved', { count: changes.size })}
          </span>
          {changes.size > 0 && (
            <Button variant="subtle" color="gray" data-quiet onClick={() => setChanges(new Map())}>
              {words('menus.discard')}
            </Button>
          )}
          <DisabledReason
            reason={
              maySave ? changes.size === 0 && words('menus.nothingChanged') : words('menus.visibilityOthers')
            }
          >
            <Button loading={save.isRunning} onClick={() => void saveAll()}>
              {words('menus.save')}
            </Button>
          </DisabledReason>
        </>
      }
    >
      {types.length === 0 ? (
        <PageMessage kind="empty" text={words('menus.noTypes')} />
      ) : shown.length === 0 ? (
        <EmptyList
          text={words('menus.empty')}
          filters={{ isFiltered: search !== '', reset: () => setSearch('') }}
        />
      ) : isPhone ? (
        <VisibilityCards
          items={shown}
          types={types}
          all={all}
          valueOf={typesFor}
          isChanged={(id) => changes.has(id)}
          isFailed={(id) => failed.has(id)}
          isLocked={!maySave}
          countOf={(type) => items.filter((item) => isOn(item, type)).length}
          total={items.length}
          onChange={set}
          onToggleType={toggleColumn}
        />
      ) : (
        <div className={classes.matrixFrame}>
          <table className={classes.matrix} aria-label={words('menus.visibilityTitle')} onKeyDown={walk}>
            <thead>
              <tr>
                <th scope="col">{words('menus.item')}</th>
                <th scope="col">{words('menus.allTypes')}</th>
                {types.map(({ Id, Name }) => {
                  const on = items.filter((item) => isOn(item, Id)).length
                  return (
                    <th key={Id} scope="col" title={Name}>
                      <span className={classes.typeHead}>
                        <Tick
                          isOn={on === items.length}
                          isPartly={on > 0 && on < items.length}
                          isLocked={!maySave}
                          label={words('menus.allOf', { type: Name })}
                          onChange={() => toggleColumn(Id)}
                        />
                        <span>{Name}</span>
                      </span>
                    </th>
                  )
                })}
              </tr>
            </thead>
            <tbody>
              {shown.map((item) => (
                <Row
                  key={item.Id}
                  item={item}
                  value={typesFor(item)}
                  types={types}
                  all={all}
                  isChanged={changes.has(item.Id)}
                  isFailed={failed.has(item.Id)}
                  isLocked={!maySave}
                  onChange={set}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Page>
  )
}

/** The arrow keys lead from tick to tick. */
const walk = (event: KeyboardEvent<HTMLTableElement>) => {
  const steps: Record<string, [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  }
  const step = steps[event.key]
  const cell = (event.target as HTMLElement).closest('td, th')
  if (!step || !cell) return
  const row = cell.parentElement as HTMLTableRowElement
  const next =
    event.currentTarget.rows[row.rowIndex + step[0]]?.cells[
      (cell as HTMLTableCellElement).cellIndex + step[1]
    ]?.querySelector('input')
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** One item against all types. Only rows that changed are drawn again: thousands of ticks stay quick. */
const Row = memo(function Row(props: {
  item: AdminMenuItem
  value: string
  types: readonly Type[]
  all: readonly number[]
  isChanged: boolean
  isFailed: boolean
  isLocked: boolean
  onChange: (values: readonly (readonly [number, string])[]) => void
}) {
  const { item, value, types, all, onChange } = props
  const words = useWords()
  const chosen = typesOf(value)
  const count = chosen ? all.filter((id) => chosen.has(id)).length : all.length
  const toggle = (type: number) => {
    const next = new Set(chosen ?? all)
    if (!next.delete(type)) next.add(type)
    onChange([[item.Id, progTypesOf(next, all)]])
  }
  return (
    <tr data-changed={props.isChanged || undefined}>
      <th scope="row" style={{ paddingInlineStart: 24 + item.LinkLevel * 20 }} title={item.LinkName}>
        {props.isFailed && (
          <span className={classes.warning} title={words('menus.notSaved')}>
            <IconAlertTriangle size={15} aria-hidden />
            <span className="p-sr-only">{words('menus.notSaved')}</span>
          </span>
        )}
        <span data-top={item.LinkLevel === 0 || undefined}>{item.LinkName}</span>
      </th>
      <td>
        <Tick
          isOn={count === all.length}
          isPartly={count > 0 && count < all.length}
          isLocked={props.isLocked}
          label={words('menus.typeFor', { item: item.LinkName, type: words('menus.allTypes') })}
          onChange={() => onChange([[item.Id, count === all.length ? '0' : '']])}
        />
      </td>
      {types.map(({ Id, Name }) => (
        <td key={Id}>
          <Tick
            isOn={chosen?.has(Id) ?? true}
            isLocked={props.isLocked}
            label={words('menus.typeFor', { item: item.LinkName, type: Name })}
            onChange={() => toggle(Id)}
          />
        </td>
      ))}
    </tr>
  )
})
