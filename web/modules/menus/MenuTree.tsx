import {
  DndContext,
  type DragEndEvent,
  type DragMoveEvent,
  MeasuringStrategy,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import {
  IconChevronRight,
  IconDots,
  IconFile,
  IconFolder,
  IconGripVertical,
  IconLink,
} from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import type { MenuNode } from '#contract/menus/menus.ts'
import { depthsOf } from '#contract/menus/menus-rules.ts'
import { Menu } from '#web/ui/base.ts'
import { useEscapeFrom } from '#web/ui/escape.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './menus.module.css'
import {
  change,
  landing,
  moveDown,
  moveIn,
  moveOut,
  moveUp,
  type Nodes,
  place,
  removeNode,
  shownNodes,
  siblingsOf,
} from './tree.ts'

/** px that one level is indented, and that a drag goes sideways for one level. */
const stepPx = 24

interface Verb {
  id: string
  label: string
  /** What the keyboard does the same by. */
  keys?: string
  run: () => void
  /** Why it cannot be done. */
  reason?: string | false
  isDanger?: boolean
}

export type MenuTreeProps = {
  nodes: Nodes
  collapsed: ReadonlySet<string>
  onCollapsed: (collapsed: ReadonlySet<string>) => void
  nameOf: (node: MenuNode) => string
  pageOf: (node: MenuNode) => string
  isContainer: (node: MenuNode) => boolean
  onChange: (nodes: Nodes) => void
  onRename: (node: MenuNode) => void
  onUndo: () => void
}

/**
 * The tree of the custom menu. It is walked with the arrow keys as trees are; Alt and the arrow keys move, F2 renames, Delete
 * deletes or hides, and a right click, the menu key or ⋯ open all that an entry can do.
 */
export function MenuTree(props: MenuTreeProps) {
  const { nodes, collapsed, isContainer, nameOf, onChange } = props
  const words = useWords()
  const [active, setActive] = useState(nodes[0]?.Key ?? '')
  const [dragged, setDragged] = useState<{ key: string; depth: number; parentKey: string | null }>()
  const [menu, setMenu] = useState<{ key: string; x: number; y: number }>()
  useEscapeFrom(menu !== undefined, () => setMenu(undefined))
  const [told, setTold] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const shown = shownNodes(nodes, dragged ? new Set([...collapsed, dragged.key]) : collapsed)
  const depths = depthsOf(nodes)
  const current = shown.some(({ Key }) => Key === active) ? active : (shown[0]?.Key ?? '')

  const focus = (key: string | undefined) => {
    if (!key) return
    setActive(key)
    // The row may have moved in the list: it is looked for after it was drawn.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus(),
    )
  }
  const apply = (next: Nodes, node: MenuNode) => {
    if (next === nodes) return
    onChange(next)
    const siblings = siblingsOf(next, node.Key)
    setTold(
      words('menus.moved', {
        name: nameOf(node),
        position: siblings.findIndex(({ Key }) => Key === node.Key) + 1,
        count: siblings.length,
        level: depthsOf(next).get(node.Key)! + 1,
      }),
    )
    focus(node.Key)
  }
  const open = (key: string, isOpen: boolean) => {
    const next = new Set(collapsed)
    if (isOpen) next.delete(key)
    else next.add(key)
    props.onCollapsed(next)
  }
  const moves = {
    up: (node: MenuNode) => moveUp(nodes, node.Key, isContainer),
    down: (node: MenuNode) => moveDown(nodes, node.Key, isContainer),
    in: (node: MenuNode) => moveIn(nodes, node.Key, isContainer),
    out: (node: MenuNode) => moveOut(nodes, node.Key, isContainer),
  }
  const goIn = (node: MenuNode) => {
    const next = moves.in(node)
    const above = next.find(({ Key }) => Key === node.Key)?.ParentKey
    if (above) open(above, true)
    apply(next, node)
  }
  const remove = (node: MenuNode) => {
    const index = shown.findIndex(({ Key }) => Key === node.Key)
    onChange(removeNode(nodes, node.Key))
    focus(shown[index + 1]?.Key ?? shown[index - 1]?.Key)
  }
  const hide = (node: MenuNode) => {
    onChange(change(nodes, node.Key, { IsHidden: !node.IsHidden }))
    focus(node.Key)
  }

  const verbsOf = (node: MenuNode): Verb[] => {
    const cannot = (next: Nodes, reason: string) => next === nodes && reason
    return [
      { id: 'rename', label: words('menus.rename'), keys: 'F2', run: () => props.onRename(node) },
      ...(node.Kind === 'page' && node.Name
        ? [
            {
              id: 'usual',
              label: words('menus.usualName'),
              run: () => onChange(change(nodes, node.Key, { Name: '' })),
            },
          ]
        : []),
      { id: 'hide', label: words(node.IsHidden ? 'menus.show' : 'menus.hide'), run: () => hide(node) },
      {
        id: 'up',
        label: words('menus.moveUp'),
        keys: 'Alt ↑',
        run: () => apply(moves.up(node), node),
        reason: cannot(moves.up(node), words('menus.isFirst')),
      },
      {
        id: 'down',
        label: words('menus.moveDown'),
        keys: 'Alt ↓',
        run: () => apply(moves.down(node), node),
        reason: cannot(moves.down(node), words('menus.isLast')),
      },
      {
        id: 'in',
        label: words('menus.moveIn'),
        keys: 'Alt →',
        run: () => goIn(node),
        reason: cannot(moves.in(node), words('menus.noneAbove')),
      },
      {
        id: 'out',
        label: words('menus.moveOut'),
        keys: 'Alt ←',
        run: () => apply(moves.out(node), node),
        reason: cannot(moves.out(node), words('menus.isTop')),
      },
      {
        id: 'delete',
        label: words('menus.delete'),
        keys: 'Del',
        run: () => remove(node),
        reason: node.Kind === 'page' && words('menus.deletePage'),
        isDanger: true,
      },
    ]
  }

  const onKeyDown = (event: KeyboardEvent, node: MenuNode) => {
    const row = event.currentTarget as HTMLElement
    // Keys pressed on a button inside the row belong to the button.
    if (event.target !== row && !event.altKey && event.key !== 'ContextMenu') return
    const index = shown.findIndex(({ Key }) => Key === node.Key)
    const isOpen = isContainer(node) && !collapsed.has(node.Key)
    const hasBelow = nodes.some(({ ParentKey }) => ParentKey === node.Key)
    const plain: Record<string, () => void> = {
      ArrowUp: () => focus(shown[index - 1]?.Key),
      ArrowDown: () => focus(shown[index + 1]?.Key),
      Home: () => focus(shown[0]?.Key),
      End: () => focus(shown.at(-1)?.Key),
      ArrowRight: () => {
        if (!hasBelow) return
        if (isOpen) focus(shown[index + 1]?.Key)
        else open(node.Key, true)
      },
      ArrowLeft: () => {
        if (hasBelow && isOpen) open(node.Key, false)
        else focus(node.ParentKey ?? undefined)
      },
      F2: () => props.onRename(node),
      Delete: () => (node.Kind === 'page' ? hide(node) : remove(node)),
      ContextMenu: () => openMenuAt(node, row),
      Enter: () => openMenuAt(node, row),
    }
    const withAlt: Record<string, () => void> = {
      ArrowUp: () => apply(moves.up(node), node),
      ArrowDown: () => apply(moves.down(node), node),
      ArrowRight: () => goIn(node),
      ArrowLeft: () => apply(moves.out(node), node),
    }
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z'
    const isMenu = event.shiftKey && event.key === 'F10'
    const run = isUndo
      ? props.onUndo
      : isMenu
        ? () => openMenuAt(node, row)
        : event.altKey
          ? withAlt[event.key]
          : plain[event.key]
    if (!run) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const openMenuAt = (node: MenuNode, at: HTMLElement) => {
    const { left, bottom } = at.getBoundingClientRect()
    setActive(node.Key)
    setMenu({ key: node.Key, x: left + 60, y: bottom - 8 })
  }
  const openMenu = (event: MouseEvent, node: MenuNode) => {
    event.preventDefault()
    setActive(node.Key)
    setMenu({ key: node.Key, x: event.clientX, y: event.clientY })
  }

  const target = ({ active: moving, over, delta }: DragMoveEvent | DragEndEvent) =>
    over && landing(shown, String(moving.id), String(over.id), Math.round(delta.x / stepPx), isContainer)
  const drop = (event: DragEndEvent) => {
    setDragged(undefined)
    const to = target(event)
    const node = nodes.find(({ Key }) => Key === event.active.id)
    if (!to || !node) return
    if (to.parentKey) open(to.parentKey, true)
    apply(place(nodes, node.Key, to.parentKey, to.beforeKey, isContainer), node)
  }
  const menuNode = menu && nodes.find(({ Key }) => Key === menu.key)
  return (
    <>
      <DndContext
        sensors={sensors}
        measuring={{ droppable: { strategy: MeasuringStrategy.Always } }}
        onDragStart={({ active: moving }) =>
          setDragged({ key: String(moving.id), depth: depths.get(String(moving.id)) ?? 0, parentKey: null })
        }
        onDragMove={(event) => {
          const to = target(event)
          // A last move may be told of after the drop, which has ended it.
          if (to) setDragged((now) => now && { ...now, depth: to.depth, parentKey: to.parentKey })
        }}
        onDragEnd={drop}
        onDragCancel={() => setDragged(undefined)}
      >
        <SortableContext items={shown.map(({ Key }) => Key)} strategy={verticalListSortingStrategy}>
          <div ref={list} role="tree" className={classes.tree} aria-label={words('menus.treeLabel')}>
            {shown.map((node) => (
              <Row
                key={node.Key}
                node={node}
                name={nameOf(node)}
                page={props.pageOf(node)}
                depth={dragged?.key === node.Key ? dragged.depth : depths.get(node.Key)!}
                isContainer={isContainer(node)}
                hasBelow={nodes.some(({ ParentKey }) => ParentKey === node.Key)}
                isOpen={!collapsed.has(node.Key)}
                isCurrent={node.Key === current}
                isTarget={dragged?.parentKey === node.Key}
                onFocus={() => setActive(node.Key)}
                onKeyDown={(event) => onKeyDown(event, node)}
                onMenu={(event) => openMenu(event, node)}
                onOpen={() => open(node.Key, collapsed.has(node.Key))}
              />
            ))}
          </div>
        </SortableContext>
      </DndContext>
      <div role="status" className="p-sr-only">
        {told}
      </div>
      <Menu
        opened={menuNode !== undefined}
        onClose={() => {
          setMenu(undefined)
          focus(menu?.key)
        }}
        position="bottom-start"
        width="max-content"
        closeOnItemClick={false}
        trapFocus
      >
        <Menu.Target>
          <span
            aria-hidden
            style={{ position: 'fixed', left: menu?.x ?? 0, top: menu?.y ?? 0, width: 1, height: 1 }}
          />
        </Menu.Target>
        <Menu.Dropdown aria-label={menuNode && words('menus.moreFor', { name: nameOf(menuNode) })}>
          {menuNode &&
            verbsOf(menuNode).map((verb) => (
              <Menu.Item
                key={verb.id}
                color={verb.isDanger && !verb.reason ? 'var(--p-rejected)' : undefined}
                aria-disabled={verb.reason ? true : undefined}
                data-disabled={verb.reason ? true : undefined}
                rightSection={verb.keys && <kbd className={classes.keys}>{verb.keys}</kbd>}
                onClick={() => {
                  if (verb.reason) return
                  setMenu(undefined)
                  verb.run()
                }}
              >
                {verb.label}
                {verb.reason && <div className={classes.keys}>{verb.reason}</div>}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const icons = { page: IconFile, category: IconFolder, link: IconLink }

function Row(props: {
  node: MenuNode
  name: string
  page: string
  depth: number
  isContainer: boolean
  hasBelow: boolean
  isOpen: boolean
  isCurrent: boolean
  /** What is dragged would become an entry of this one. */
  isTarget: boolean
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent) => void
  onMenu: (event: MouseEvent) => void
  onOpen: () => void
}) {
  const { node, name, depth, hasBelow, isOpen } = props
  const words = useWords()
  const { listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: node.Key,
  })
  const Icon = props.isContainer ? icons.category : icons[node.Kind]
  return (
    <div
      ref={setNodeRef}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={hasBelow ? isOpen : undefined}
      aria-selected={props.isCurrent}
      aria-label={node.IsHidden ? `${name}, ${words('menus.hidden')}` : name}
      tabIndex={props.isCurrent ? 0 : -1}
      data-key={node.Key}
      data-hidden={node.IsHidden || undefined}
      data-moving={isDragging || undefined}
      data-target={props.isTarget || undefined}
      className={classes.node}
      style={{
        paddingInlineStart: 8 + depth * stepPx,
        transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined,
        transition,
      }}
      onFocus={(event) => event.target === event.currentTarget && props.onFocus()}
      onKeyDown={props.onKeyDown}
      onContextMenu={props.onMenu}
    >
      <span
        ref={setActivatorNodeRef}
        className={classes.handle}
        title={words('menus.moveHandle', { name })}
        {...listeners}
      >
        <IconGripVertical size={16} stroke={1.75} aria-hidden />
      </span>
      {hasBelow ? (
        <button
          type="button"
          tabIndex={-1}
          className={classes.chevron}
          data-open={isOpen || undefined}
          aria-label={words(isOpen ? 'menus.collapse' : 'menus.expand', { name })}
          onClick={props.onOpen}
        >
          <IconChevronRight size={16} stroke={1.75} aria-hidden />
        </button>
      ) : (
        <span className={classes.chevron} aria-hidden />
      )}
      <span className={classes.nodeIcon}>
        <Icon size={16} stroke={1.75} aria-hidden />
      </span>
      <span className={classes.nodeName} data-category={props.isContainer || undefined} title={name}>
        {name}
      </span>
      <span className={classes.nodeDetail}>
        {node.IsHidden ? words('menus.hidden') : node.Kind === 'link' ? props.page : ''}
      </span>
      <button
        type="button"
        tabIndex={-1}
        className={classes.dots}
        aria-label={words('menus.moreFor', { name })}
        aria-haspopup="menu"
        onClick={props.onMenu}
      >
        <IconDots size={16} aria-hidden />
      </button>
    </div>
  )
}
