import { IconArrowsSort, IconListDetails, IconRestore, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { CompetencyPart } from '#contract/competencies/competency-lists.ts'
import { finder } from '#contract/core/search.ts'
import { useAddress } from '#web/api/use-address.ts'
import { attempt, deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { BulkVerb, RowKey } from '#web/ui/grid/grid-types.ts'
import { AddNew, type InlineColumn, type InlineEdit, InlineGrid } from '#web/ui/grid/InlineGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { SortableList } from '#web/ui/SortableList.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { CompetencyNav, type CompetencyScreen, ListChip } from './CompetencyNav.tsx'
import classes from './competencies.module.css'
import { DeletedTick } from './DeletedTick.tsx'
import { removalOf, useDesignChange } from './use-design-change.tsx'
import { type Design, useParts } from './use-lists.ts'

interface Part {
  Id: number
}

export interface PartsScreenProps<Row extends Part> {
  design: Design
  screen: CompetencyScreen
  part: CompetencyPart
  title: string
  inline: InlineEdit<Row>
  columns: readonly InlineColumn<Row>[]
  nameOf: (row: Row) => string
  /** What a reader is shown by the chips; the search comes on top. */
  rows: readonly Row[] | undefined
  /** `rows` are the deleted ones while the address says `deleted`. */
  hasDeleted?: boolean
  read: { isFetching: boolean; error: Error | null; refetch: () => Promise<unknown> }
  /** Chips between the search and Rearrange. */
  chips?: ReactNode
  filtersEnd?: ReactNode
  /** Further buttons of the page, before Add lines. */
  actions?: ReactNode
  /** Why nothing can be added now. */
  addReason?: string | false
  /** Why there is no order now: parts of several things are shown. */
  orderReason?: string | false
  lines: (close: () => void) => ReactNode
  more?: (row: Row) => ReactNode
  /** A card on phones, in place of title and lines. */
  card?: (row: Row) => ReactNode
  bulkVerbs?: (rows: readonly Row[], done: () => void) => BulkVerb[]
  count: (count: number) => string
  empty: string
  emptyNext?: ReactNode
  footerEnd?: ReactNode
  children?: ReactNode
}

/** What the screens of a list share: nav and list, search, inline rows, lines, order, the deleted ones, and undo. */
export function PartsScreen<Row extends Part>(props: PartsScreenProps<Row>) {
  const { design, part, title, inline, columns, nameOf, rows, read } = props
  const words = useWords()
  const parts = useParts(part)
  const [{ search, deleted, order }, setAddress] = useAddress({ search: '', deleted: false, order: false })
  const [isPasting, setPasting] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set())
  const { mayDesign, lists } = design
  const isFound = finder(search)
  const shown = rows?.filter((row) => isFound(nameOf(row)))
  const isOrdered = order && mayDesign && !props.orderReason && !deleted
  const hasNoList = lists.data?.length === 0
  const addReason = hasNoList && words('competencies.listFirst')
  const common = {
    id: `competencies-${props.screen}`,
    label: title,
    rows: hasNoList ? [] : shown,
    isLoading: read.isFetching,
    error: (lists.error ?? read.error)?.message,
    onRetry: () => void read.refetch(),
    ...(props.card && { card: props.card }),
  }
  const ask = useDesignChange(design.params)
  const removeTicked = (ticked: readonly Row[]) =>
    attempt(async () => {
      const ids = ticked.map(({ Id }) => Id)
      if (!(await ask(removalOf(part, ids)))) return
      setSelected(new Set())
      await deleteWithUndo({
        remove: () => parts.remove(ids),
        restore: () => parts.restore(ids),
        deleted: words('competencies.deletedCount', { count: ids.length }),
      })
    })
  const add = (
    <AddNew
      inline={inline}
      label={words('competencies.addNew')}
      reason={addReason || props.addReason || (deleted && words('competencies.leaveDeleted'))}
    />
  )
  const paste = (
    <DisabledReason reason={addReason || props.addReason}>
      <Button
        variant="default"
        leftSection={<IconListDetails size={17} stroke={1.75} aria-hidden />}
        onClick={() => setPasting(true)}
      >
        {words('competencies.addLines')}
      </Button>
    </DisabledReason>
  )
  const empty = {
    text: deleted
      ? words('competencies.noneDeleted')
      : hasNoList
        ? words('competencies.noLists')
        : props.empty,
    ...(!deleted && !hasNoList && mayDesign && { next: props.emptyNext ?? paste }),
    filters: { isFiltered: search.trim() !== '', reset: () => setAddress({ search: '' }) },
  }
  return (
    <Page
      title={title}
      breadcrumb={<CompetencyNav design={design} current={props.screen} />}
      beside={<ListChip design={design} />}
      actions={
        mayDesign && (
          <>
            {props.actions}
            {paste}
            {add}
          </>
        )
      }
      filters={
        <FilterBar
          end={
            <>
              {props.filtersEnd}
              {mayDesign && props.hasDeleted && (
                <DeletedTick
                  value={deleted}
                  onChange={(next) => {
                    inline.stop()
                    setAddress({ deleted: next, order: false })
                  }}
                />
              )}
            </>
          }
        >
          <SearchBox
            label={words('competencies.search')}
            value={search}
            maxLength={100}
            onChange={(text) => setAddress({ search: text })}
          />
          {props.chips}
          {mayDesign && (
            <DisabledReason
              reason={
                props.orderReason ||
                (inline.isEditing && words('ui.finishRow')) ||
                (deleted && words('competencies.leaveDeleted'))
              }
            >
              <Button
                size="xs"
                variant="default"
                aria-pressed={isOrdered}
                leftSection={<IconArrowsSort size={15} stroke={1.75} aria-hidden />}
                onClick={() => setAddress({ order: !order, search: '' })}
              >
                {words(isOrdered ? 'competencies.endOrder' : 'competencies.rearrange')}
              </Button>
            </DisabledReason>
          )}
        </FilterBar>
      }
      footer={shown && props.count(shown.length)}
      footerEnd={isOrdered ? words('competencies.savedAtOnce') : props.footerEnd}
      inset
    >
      {isOrdered ? (
        <OrderedParts {...props} rows={rows ?? []} error={common.error} />
      ) : deleted && props.hasDeleted ? (
        <Grid<Row>
          framed
          noColumnChoice
          {...common}
          columns={columns}
          rowKey={({ Id }) => Id}
          empty={empty}
          actions={(row) => [
            {
              label: words('competencies.restore'),
              icon: <IconRestore size={16} stroke={1.75} />,
              quick: true,
              onRun: () =>
                void attempt(async () => {
                  await parts.restore([row.Id])
                  toast.done(words('competencies.restored', { name: nameOf(row) }))
                }),
            },
          ]}
        />
      ) : mayDesign ? (
        <InlineGrid<Row>
          {...common}
          inline={inline}
          columns={columns}
          {...(props.more && { more: props.more })}
          empty={empty}
          selection={{ selected, onChange: setSelected }}
          bulk={(ticked) => ({
            verbs: [
              ...(props.bulkVerbs?.(ticked, () => setSelected(new Set())) ?? []),
              {
                label: words('competencies.delete'),
                icon: <IconTrash size={16} stroke={1.75} />,
                onRun: () => void removeTicked(ticked),
              },
            ],
          })}
        />
      ) : (
        <Grid<Row>
          framed
          noColumnChoice
          {...common}
          columns={columns}
          rowKey={({ Id }) => Id}
          empty={empty}
        />
      )}
      {isPasting && props.lines(() => setPasting(false))}
      {props.children}
    </Page>
  )
}

/** The parts in an order that is changed by dragging or with the keyboard; saved at once, with undo. */
function OrderedParts<Row extends Part>(
  props: Pick<PartsScreenProps<Row>, 'part' | 'title' | 'nameOf' | 'read' | 'empty'> & {
    rows: readonly Row[]
    error: string | undefined
  },
) {
  const { rows, nameOf, read } = props
  const words = useWords()
  const parts = useParts(props.part)
  const [moved, setMoved] = useState<number[]>()
  const ids = rows.map(({ Id }) => Id)
  const byId = new Map(rows.map((row) => [row.Id, row]))
  const ordered = (moved ?? ids).flatMap((id) => byId.get(id) ?? [])
  const save = async (next: readonly number[]) => {
    const isSaved = await attempt(() => parts.order(next))
    setMoved(undefined)
    return isSaved
  }
  const move = async (next: readonly number[], id: number) => {
    const row = byId.get(id)
    setMoved([...next])
    if ((await save(next)) && row)
      toast.done({
        title: words('competencies.moved', { name: nameOf(row) }),
        undo: () => void save(ids),
      })
  }
  if (props.error) return <PageMessage kind="error" text={props.error} onRetry={() => void read.refetch()} />
  if (rows.length === 0) return <PageMessage kind="empty" text={props.empty} />
  return (
    <div className={classes.order}>
      <SortableList
        label={props.title}
        entries={ordered.map((row, index) => ({
          key: String(row.Id),
          label: nameOf(row),
          content: (
            <span className={classes.orderItem}>
              <span>{index + 1}</span>
              <span>{nameOf(row)}</span>
            </span>
          ),
        }))}
        onOrder={(keys, key) => void move(keys.map(Number), Number(key))}
      />
    </div>
  )
}
