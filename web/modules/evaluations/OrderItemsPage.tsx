import { useState } from 'react'
import { type FormOrder, orderItems } from '#contract/evaluations/evaluation-items.ts'
import type { TemplateDetail } from '#contract/evaluations/evaluations.ts'
import { useSave } from '#web/api/use-call.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { SortableList } from '#web/ui/SortableList.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { TemplateChip, TemplateNav } from './TemplateNav.tsx'
import { designed, useDesign } from './use-design.ts'

const categoryKey = (id: number): string => `c${id}`
const itemKey = (id: number): string => `i${id}`
const idOf = (key: string): number => Number(key.slice(1))

/** Categories as headings with their items beneath, as one list of keys. */
const keysOf = (template: TemplateDetail): string[] =>
  template.Categories.flatMap(({ Id }) => [
    categoryKey(Id),
    ...template.Items.filter(({ CategoryId }) => CategoryId === Id).map((item) => itemKey(item.Id)),
  ])

/** The list of keys as the order of the form. What was put above the first heading belongs beneath it. */
const orderOf = (keys: readonly string[]): FormOrder => {
  const first = keys.find((key) => key.startsWith('c'))
  const order: FormOrder = first ? [{ CategoryId: idOf(first), ItemIds: [] }] : []
  for (const key of keys) {
    if (key.startsWith('i')) order.at(-1)?.ItemIds.push(idOf(key))
    else if (key !== first) order.push({ CategoryId: idOf(key), ItemIds: [] })
  }
  return order
}

/** Rearrange items: by dragging or with the keyboard, across categories too; saved at once, with undo. */
export function OrderItemsPage() {
  const words = useWords()
  const design = useDesign()
  const { params } = design
  const template = design.template.data
  const order = useSave(orderItems, designed)
  const [moved, setMoved] = useState<string[]>()
  const keys = moved ?? (template ? keysOf(template) : [])
  const save = async (next: readonly string[]): Promise<boolean> => {
    try {
      await order.run({ params, body: { Categories: orderOf(next) } })
      return true
    } catch (error) {
      toast.error((error as Error).message)
      return false
    } finally {
      setMoved(undefined)
    }
  }
  const nameOf = (key: string) =>
    key.startsWith('c')
      ? (template?.Categories.find(({ Id }) => Id === idOf(key))?.Name ?? '')
      : (template?.Items.find(({ Id }) => Id === idOf(key))?.Text ?? '')
  const move = async (next: string[], key: string) => {
    const before = keys
    setMoved(
      orderOf(next).flatMap(({ CategoryId, ItemIds }) => [categoryKey(CategoryId), ...ItemIds.map(itemKey)]),
    )
    if (await save(next)) {
      toast.done({ title: words('evaluations.moved', { name: nameOf(key) }), undo: () => void save(before) })
    }
  }
  let number = 0
  const entries = keys.map((key) => {
    const isFixed = key.startsWith('c')
    if (!isFixed) number += 1
    const item = template?.Items.find(({ Id }) => !isFixed && Id === idOf(key))
    return {
      key,
      label: nameOf(key),
      isFixed,
      content: isFixed ? (
        <h2 className={classes.orderHead}>{nameOf(key)}</h2>
      ) : (
        <span className={classes.orderItem}>
          <span className={classes.number}>{number}</span>
          <span>{nameOf(key)}</span>
          <small>{words(item?.Kind === 'fib' ? 'evaluations.kindFib' : 'evaluations.kindScored')}</small>
        </span>
      ),
    }
  })
  const problem = design.templates.error ?? design.template.error
  return (
    <Page
      title={words('evaluations.orderTitle')}
      breadcrumb={<TemplateNav templateId={design.ofNav} current="order-items" />}
      beside={<TemplateChip design={design} />}
      intro={words('evaluations.orderIntro')}
      footer={template && words('evaluations.itemCount', { count: template.Items.length })}
      footerEnd={words('evaluations.savedAtOnce')}
      inset
    >
      {problem && (
        <PageMessage kind="error" text={problem.message} onRetry={() => void design.template.refetch()} />
      )}
      {design.templates.data?.length === 0 && (
        <PageMessage kind="empty" text={words('evaluations.noTemplates')} />
      )}
      {template &&
        (template.Items.length === 0 ? (
          <PageMessage kind="empty" text={words('evaluations.noItems')} />
        ) : (
          <SortableList
            label={words('evaluations.orderTitle')}
            entries={entries}
            onOrder={(next, key) => void move(next, key)}
          />
        ))}
    </Page>
  )
}
