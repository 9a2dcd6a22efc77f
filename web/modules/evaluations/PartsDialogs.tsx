import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import {
  createCategory,
  createGroup,
  orderItems,
  removeCategory,
  removeGroup,
  renameCategory,
  restoreCategory,
  restoreGroup,
  updateGroup,
} from '#contract/evaluations/evaluation-items.ts'
import type { ItemGroup, TemplateDetail } from '#contract/evaluations/evaluations.ts'
import { useSave } from '#web/api/use-call.ts'
import { attempt, deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextInput } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { SortableList } from '#web/ui/SortableList.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { type Design, designed } from './use-design.ts'

interface PartsDialogProps {
  template: TemplateDetail
  params: Design['params']
  onClose: () => void
}

/** The categories of a template: add, rename, put in order, remove with undo. Everything is saved at once. */
export function CategoriesDialog({ template, params, onClose }: PartsDialogProps) {
  const words = useWords()
  const create = useSave(createCategory, designed)
  const rename = useSave(renameCategory, designed)
  const remove = useSave(removeCategory, designed)
  const restore = useSave(restoreCategory, designed)
  const order = useSave(orderItems, designed)
  const [moved, setMoved] = useState<string[]>()
  const at = (categoryId: number) => ({ params: { ...params, categoryId } })
  const itemsOf = (categoryId: number) => template.Items.filter(({ CategoryId }) => CategoryId === categoryId)
  const keys = moved ?? template.Categories.map(({ Id }) => String(Id))
  const shown = keys.flatMap((key) => template.Categories.find(({ Id }) => String(Id) === key) ?? [])
  const move = async (next: string[]) => {
    setMoved(next)
    await attempt(() =>
      order.run({
        params,
        body: {
          Categories: next.map((key) => ({
            CategoryId: Number(key),
            ItemIds: itemsOf(Number(key)).map(({ Id }) => Id),
          })),
        },
      }),
    )
    setMoved(undefined)
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.categories')}
      subtitle={template.Title}
      summary={words('evaluations.savedAtOnce')}
      actions={<LeaveButton onClick={onClose}>{words('evaluations.done')}</LeaveButton>}
    >
      <SortableList
        label={words('evaluations.categories')}
        onOrder={(next) => void move(next)}
        entries={shown.map((category) => ({
          key: String(category.Id),
          label: category.Name,
          content: (
            <PartRow
              name={category.Name}
              label={words('evaluations.category')}
              note={words('evaluations.itemCount', { count: itemsOf(category.Id).length })}
              onRename={(Name) => attempt(() => rename.run({ ...at(category.Id), body: { Name } }))}
              onRemove={() =>
                void attempt(async () => {
                  await remove.run(at(category.Id))
                  toast.done({
                    title: words('evaluations.deleted', { name: category.Name }),
                    detail: words('evaluations.itemCount', { count: itemsOf(category.Id).length }),
                    undo: () => void attempt(() => restore.run(at(category.Id))),
                  })
                })
              }
            />
          ),
        }))}
      />
      <AddPart
        label={words('evaluations.newCategory')}
        onAdd={(Name) => attempt(() => create.run({ params, body: { Name } }))}
      />
    </Dialog>
  )
}

/** The groups of a template, and which of them require at least one choice. Everything is saved at once. */
export function GroupsDialog({ template, params, onClose }: PartsDialogProps) {
  const words = useWords()
  const create = useSave(createGroup, designed)
  const update = useSave(updateGroup, designed)
  const remove = useSave(removeGroup, designed)
  const restore = useSave(restoreGroup, designed)
  const at = (groupId: number) => ({ params: { ...params, groupId } })
  const change = (group: ItemGroup, part: Partial<ItemGroup>) => {
    const { Name, IsMandatory } = { ...group, ...part }
    return attempt(() => update.run({ ...at(group.Id), body: { Name, IsMandatory } }))
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.groups')}
      subtitle={template.Title}
      summary={words('evaluations.savedAtOnce')}
      actions={<LeaveButton onClick={onClose}>{words('evaluations.done')}</LeaveButton>}
    >
      <p className={classes.quiet}>{words('evaluations.groupsHint')}</p>
      <ul className={classes.parts} aria-label={words('evaluations.groups')}>
        {template.Groups.map((group) => (
          <li key={group.Id}>
            <PartRow
              name={group.Name}
              label={words('evaluations.groupName')}
              note={words('evaluations.itemCount', {
                count: template.Items.filter(({ GroupId }) => GroupId === group.Id).length,
              })}
              onRename={(Name) => change(group, { Name })}
              onRemove={() =>
                void deleteWithUndo({
                  remove: () => remove.run(at(group.Id)),
                  restore: () => restore.run(at(group.Id)),
                  deleted: words('evaluations.deleted', { name: group.Name }),
                })
              }
            >
              <label className={classes.tick}>
                <input
                  type="checkbox"
                  className="p-tick"
                  checked={group.IsMandatory}
                  aria-label={`${words('evaluations.oneRequired')}: ${group.Name}`}
                  onChange={() => void change(group, { IsMandatory: !group.IsMandatory })}
                />
                {words('evaluations.oneRequired')}
              </label>
            </PartRow>
          </li>
        ))}
      </ul>
      <AddPart
        label={words('evaluations.newGroup')}
        onAdd={(Name) => attempt(() => create.run({ params, body: { Name, IsMandatory: true } }))}
      />
    </Dialog>
  )
}

const saveOnEnter = (event: KeyboardEvent<HTMLInputElement>): void => {
  if (event.key === 'Enter') event.currentTarget.blur()
}

function PartRow(props: {
  name: string
  label: string
  note: string
  children?: ReactNode
  onRename: (name: string) => Promise<boolean>
  onRemove: () => void
}) {
  const words = useWords()
  const [text, setText] = useState(props.name)
  const save = async () => {
    const name = text.trim()
    if (name === props.name) return
    if (name === '' || !(await props.onRename(name))) setText(props.name)
  }
  return (
    <div className={classes.part}>
      <TextInput
        aria-label={`${props.label}: ${props.name}`}
        value={text}
        maxLength={255}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={saveOnEnter}
        onBlur={() => void save()}
      />
      {props.children}
      <span className={classes.partNote}>{props.note}</span>
      <button
        type="button"
        className={classes.iconButton}
        aria-label={`${words('evaluations.delete')}: ${props.name}`}
        onClick={props.onRemove}
      >
        <IconTrash size={16} stroke={1.75} aria-hidden />
      </button>
    </div>
  )
}

function AddPart({ label, onAdd }: { label: string; onAdd: (name: string) => Promise<boolean> }) {
  const words = useWords()
  const [text, setText] = useState('')
  const add = async () => {
    if (text.trim() && (await onAdd(text.trim()))) setText('')
  }
  return (
    <form
      className={classes.addPart}
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <TextInput
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={255}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}>
        {words('evaluations.add')}
      </Button>
    </form>
  )
}
