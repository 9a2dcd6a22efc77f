import { IconArrowBackUp, IconFolderPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { useReducer, useState } from 'react'
import {
  type CustomMenu,
  getCustomMenu,
  type MenuNode,
  removeCustomMenu,
  saveCustomMenu,
} from '#contract/menus/menus.ts'
import { getLeftMenu } from '#contract/session/session.ts'
import { CallError, call } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { useUnsaved } from '#web/ui/form/unsaved.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ImportMenuDialog } from './ImportMenuDialog.tsx'
import { MenuTree } from './MenuTree.tsx'
import classes from './menus.module.css'
import { type Asked, NodeDialog } from './NodeDialog.tsx'
import { change, type Nodes } from './tree.ts'

/** Custom Admin Menu: the program's own tree of the left menu. */
export function CustomMenuPage() {
  const words = useWords()
  const programId = useProgramId()
  const menu = useRead(getCustomMenu, { params: { programId } }, { keepsLast: false, staleMs: 0 })
  if (menu.error)
    return (
      <Page title={words('menus.customTitle')}>
        <PageMessage kind="error" text={menu.error.message} onRetry={() => void menu.refetch()} />
      </Page>
    )
  if (!menu.data) return <Page title={words('menus.customTitle')} />
  return <Editor key={programId} programId={programId} first={menu.data} />
}

interface Work {
  nodes: Nodes
  /** What was before each step, the latest last. */
  past: readonly Nodes[]
  saved: CustomMenu
}
type Step = { kind: 'do'; nodes: Nodes } | { kind: 'undo' } | { kind: 'load'; saved: CustomMenu }

const maxSteps = 100

const work = (state: Work, step: Step): Work => {
  if (step.kind === 'load') return { nodes: step.saved.Nodes, past: [], saved: step.saved }
  if (step.kind === 'undo') {
    const before = state.past.at(-1)
    return before ? { ...state, nodes: before, past: state.past.slice(0, -1) } : state
  }
  if (step.nodes === state.nodes) return state
  return { ...state, nodes: step.nodes, past: [...state.past, state.nodes].slice(-maxSteps) }
}

function Editor({ programId, first }: { programId: number; first: CustomMenu }) {
  const words = useWords()
  const [{ nodes, past, saved }, dispatch] = useReducer(work, first, (menu) => ({
    nodes: menu.Nodes,
    past: [],
    saved: menu,
  }))
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<Asked>()
  const [isImporting, setImporting] = useState(false)
  const [failure, setFailure] = useState<'stale' | 'failed'>()
  const save = useSave(saveCustomMenu, { refresh: [getLeftMenu] })
  const remove = useSave(removeCustomMenu, { refresh: [getLeftMenu] })
  const isChanged = nodes !== saved.Nodes && JSON.stringify(nodes) !== JSON.stringify(saved.Nodes)
  useUnsaved({ count: isChanged ? Math.max(1, past.length) : 0, hasDraft: false, keys: [] })
  const items = new Map(saved.Items.map((item) => [item.Id, item]))
  const isContainer = ({ Kind, ItemId }: MenuNode): boolean =>
    Kind === 'category' || (Kind === 'page' && Boolean(items.get(ItemId ?? 0)?.HasItems))
  const nameOf = ({ Name, ItemId }: MenuNode): string => Name || (items.get(ItemId ?? 0)?.LinkName ?? '')
  const set = (next: Nodes) => dispatch({ kind: 'do', nodes: next })

  const at = { params: { programId } }
  const fail = (error: unknown) =>
    setFailure(error instanceof CallError && error.code === 'stale' ? 'stale' : 'failed')
  const store = async (Version: number, Nodes: Nodes, done: string) => {
    try {
      dispatch({ kind: 'load', saved: await save.run({ ...at, body: { Version, Nodes: [...Nodes] } }) })
      setFailure(undefined)
      toast.done(done)
    } catch (error) {
      fail(error)
    }
  }
  const removeAll = async () => {
    const question = {
      text: words('menus.removeQuestion'),
      detail: words('menus.removeDetail'),
      verb: words('menus.removeVerb'),
      danger: true,
    }
    if (!(await confirm(question))) return
    const before = nodes
    try {
      const after = saved.IsCustomized
        ? await remove.run({ ...at, query: { Version: saved.Version } })
        : await call(getCustomMenu, at)
      dispatch({ kind: 'load', saved: after })
      setFailure(undefined)
      toast.done({
        title: words('menus.removed'),
        undo: () => void store(after.Version, before, words('menus.customSaved')),
      })
    } catch (error) {
      fail(error)
    }
  }
  const loadTheirs = async () => {
    dispatch({ kind: 'load', saved: await call(getCustomMenu, at) })
    setFailure(undefined)
  }
  const add = (values: Pick<MenuNode, 'Kind' | 'Name' | 'Url'>) =>
    set([
      {
        Key: `own-${crypto.randomUUID().slice(0, 18)}`,
        ParentKey: null,
        ItemId: null,
        IsHidden: false,
        ...values,
      },
      ...nodes,
    ])

  return (
    <Page
      title={words('menus.customTitle')}
      count={words(saved.IsCustomized ? 'menus.customCount' : 'menus.usualCount')}
      inset
      actions={
        <>
          <span role="status" className={classes.unsaved}>
            {isChanged && words('menus.unsaved', { count: Math.max(1, past.length) })}
          </span>
          <DisabledReason reason={past.length === 0 && words('menus.nothingToUndo')}>
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
              onClick={() => dispatch({ kind: 'undo' })}
            >
              {words('menus.undo')}
            </Button>
          </DisabledReason>
          <DisabledReason reason={!isChanged && words('menus.nothingChanged')}>
            <Button
              loading={save.isRunning}
              onClick={() => void store(saved.Version, nodes, words('menus.customSaved'))}
            >
              {words('menus.save')}
            </Button>
          </DisabledReason>
        </>
      }
      filters={
        <div className={classes.verbs}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
            onClick={() => setAsked({ kind: 'link' })}
          >
            {words('menus.create')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconFolderPlus size={16} stroke={1.75} aria-hidden />}
            onClick={() => setAsked({ kind: 'category' })}
          >
            {words('menus.addCategory')}
          </Button>
          <Button variant="default" onClick={() => setImporting(true)}>
            {words('menus.import')}
          </Button>
          <DisabledReason reason={!saved.IsCustomized && !isChanged && words('menus.nothingToRemove')}>
            <Button
              variant="default"
              loading={remove.isRunning}
              leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
              onClick={() => void removeAll()}
            >
              {words('menus.removeAll')}
            </Button>
          </DisabledReason>
          <span className={classes.foldVerbs}>
            <Button
              variant="subtle"
              color="gray"
              data-quiet
              onClick={() => setCollapsed(new Set(nodes.filter(isContainer).map(({ Key }) => Key)))}
            >
              {words('menus.collapseAll')}
            </Button>
            <Button variant="subtle" color="gray" data-quiet onClick={() => setCollapsed(new Set())}>
              {words('menus.expandAll')}
            </Button>
          </span>
        </div>
      }
    >
      {failure && (
        <div className={classes.alert} role="alert">
          <span>{words(failure === 'stale' ? 'menus.stale' : 'menus.failed')}</span>
          {failure === 'stale' && (
            <Button size="xs" variant="default" onClick={() => void loadTheirs()}>
              {words('menus.loadTheirs')}
            </Button>
          )}
        </div>
      )}
      <p className={classes.tip}>{words('menus.tip')}</p>
      <MenuTree
        nodes={nodes}
        collapsed={collapsed}
        onCollapsed={setCollapsed}
        nameOf={nameOf}
        pageOf={({ Kind, Url, ItemId }) => (Kind === 'link' ? Url : (items.get(ItemId ?? 0)?.PageUrl ?? ''))}
        isContainer={isContainer}
        onChange={set}
        onRename={(node) => setAsked({ kind: 'rename', node, name: nameOf(node) })}
        onUndo={() => dispatch({ kind: 'undo' })}
      />
      {asked && (
        <NodeDialog
          asked={asked}
          onClose={() => setAsked(undefined)}
          onDone={({ Name, Url }) => {
            setAsked(undefined)
            if (asked.kind !== 'rename') add({ Kind: asked.kind, Name, Url })
            else {
              const usual = items.get(asked.node.ItemId ?? 0)?.LinkName
              set(
                change(nodes, asked.node.Key, {
                  Name: Name === usual ? '' : Name,
                  ...(asked.node.Kind === 'link' && { Url }),
                }),
              )
            }
          }}
        />
      )}
      {isImporting && (
        <ImportMenuDialog
          programId={programId}
          onClose={() => setImporting(false)}
          onImport={(taken, name) => {
            setImporting(false)
            set(taken)
            toast.done(words('menus.imported', { name }))
          }}
        />
      )}
    </Page>
  )
}
