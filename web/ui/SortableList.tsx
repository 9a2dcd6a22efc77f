import { plainWords } from '#web/words/plain-words.ts'
import './all-styles.ts'
import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { IconGripVertical } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './SortableList.module.css'

export type SortableEntry = {
  key: string
  /** What it is called: for the handle and for what is read aloud. */
  label: string
  content: ReactNode
  /** A heading among the entries: others move past it, itself it stays. */
  isFixed?: boolean
}

export type SortableListProps = {
  label: string
  entries: readonly SortableEntry[]
  /** The keys in their new order, and the one that was moved. */
  onOrder: (keys: string[], moved: string) => void
}

/** A list that is put in order by its handles: with the pointer, or with Space and the arrow keys. */
export function SortableList({ label, entries, onOrder }: SortableListProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const keys = entries.map(({ key }) => key)
  const nameOf = (id: UniqueIdentifier) => entries.find(({ key }) => key === id)?.label ?? ''
  const at = (id: UniqueIdentifier, place = id) => ({
    name: nameOf(id),
    position: keys.indexOf(String(place)) + 1,
    count: keys.length,
  })
  const announcements: Announcements = {
    onDragStart: ({ active }) => plainWords('ui.sortPicked', at(active.id)),
    onDragOver: ({ active, over }) => (over ? plainWords('ui.sortOver', at(active.id, over.id)) : undefined),
    onDragEnd: ({ active, over }) =>
      over ? plainWords('ui.sortDropped', at(active.id, over.id)) : plainWords('ui.sortBack', at(active.id)),
    onDragCancel: ({ active }) => plainWords('ui.sortBack', at(active.id)),
  }
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return
    const moved = String(active.id)
    onOrder(arrayMove(keys, keys.indexOf(moved), keys.indexOf(String(over.id))), moved)
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={drop}
      accessibility={{ announcements, screenReaderInstructions: { draggable: plainWords('ui.sortHelp') } }}
    >
      <SortableContext items={keys} strategy={verticalListSortingStrategy}>
        <ul className={classes.list} aria-label={label}>
          {entries.map((entry) => (
            <Entry key={entry.key} entry={entry} />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

function Entry({ entry }: { entry: SortableEntry }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: entry.key, disabled: { draggable: entry.isFixed ?? false, droppable: false } })
  return (
    <li
      ref={setNodeRef}
      className={classes.entry}
      data-moving={isDragging || undefined}
      data-fixed={entry.isFixed || undefined}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
    >
      {!entry.isFixed && (
        <button
          type="button"
          ref={setActivatorNodeRef}
          className={classes.handle}
          {...attributes}
          {...listeners}
          aria-label={plainWords('ui.moveRow', { name: entry.label })}
        >
          <IconGripVertical size={18} stroke={1.75} aria-hidden />
        </button>
      )}
      <div className={classes.content}>{entry.content}</div>
    </li>
  )
}
