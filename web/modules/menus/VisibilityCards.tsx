import { IconAlertTriangle } from '@tabler/icons-react'
import type { AdminMenuItem } from '#contract/menus/menus.ts'
import { progTypesOf, typesOf } from '#contract/menus/menus-rules.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './menus.module.css'

export type VisibilityCardsProps = {
  items: readonly AdminMenuItem[]
  types: readonly { Id: number; Name: string }[]
  /** Ids of all types. */
  all: readonly number[]
  valueOf: (item: AdminMenuItem) => string
  isChanged: (id: number) => boolean
  isFailed: (id: number) => boolean
  isLocked: boolean
  /** How many of all items a type of program sees. */
  countOf: (type: number) => number
  total: number
  onChange: (values: readonly (readonly [number, string])[]) => void
  onToggleType: (type: number) => void
}

/** Items against types of programs on a phone: one card an item, its ticks one below the other. */
export function VisibilityCards(props: VisibilityCardsProps) {
  const { items, types, all, isLocked } = props
  const words = useWords()
  return (
    <ul className={classes.visibility} aria-label={words('menus.visibilityTitle')}>
      <li>
        <h2>{words('menus.allItems')}</h2>
        {types.map(({ Id, Name }) => {
          const on = props.countOf(Id)
          return (
            <TickLine
              key={Id}
              isOn={on === props.total}
              isPartly={on > 0 && on < props.total}
              isLocked={isLocked}
              label={words('menus.allOf', { type: Name })}
              onChange={() => props.onToggleType(Id)}
              text={Name}
            />
          )
        })}
      </li>
      {items.map((item) => {
        const chosen = typesOf(props.valueOf(item))
        const count = chosen ? all.filter((id) => chosen.has(id)).length : all.length
        const toggle = (type: number) => {
          const next = new Set(chosen ?? all)
          if (!next.delete(type)) next.add(type)
          props.onChange([[item.Id, progTypesOf(next, all)]])
        }
        return (
          <li
            key={item.Id}
            data-changed={props.isChanged(item.Id) || undefined}
            style={{ paddingInlineStart: 16 + item.LinkLevel * 16 }}
          >
            <h2>
              {props.isFailed(item.Id) && (
                <span className={classes.warning} title={words('menus.notSaved')}>
                  <IconAlertTriangle size={15} aria-hidden />
                  <span className="p-sr-only">{words('menus.notSaved')}</span>
                </span>
              )}
              {item.LinkName}
            </h2>
            <TickLine
              isOn={count === all.length}
              isPartly={count > 0 && count < all.length}
              isLocked={isLocked}
              label={words('menus.typeFor', { item: item.LinkName, type: words('menus.allTypes') })}
              onChange={() => props.onChange([[item.Id, count === all.length ? '0' : '']])}
              text={words('menus.allTypes')}
            />
            {types.map(({ Id, Name }) => (
              <TickLine
                key={Id}
                isOn={chosen?.has(Id) ?? true}
                isLocked={isLocked}
                label={words('menus.typeFor', { item: item.LinkName, type: Name })}
                onChange={() => toggle(Id)}
                text={Name}
              />
            ))}
          </li>
        )
      })}
    </ul>
  )
}

type TickProps = {
  isOn: boolean
  isPartly?: boolean
  isLocked: boolean
  label: string
  onChange: () => void
}

const tickProps = ({ isOn, isPartly, isLocked, label, onChange }: TickProps) => ({
  type: 'checkbox',
  className: 'p-tick',
  ref: (input: HTMLInputElement | null) => {
    if (input) input.indeterminate = Boolean(isPartly)
  },
  checked: isOn,
  disabled: isLocked,
  'aria-label': label,
  onChange,
})

/** One tick of an item and a type; partly where a tick means several. */
export const Tick = (props: TickProps) => <input {...tickProps(props)} />

function TickLine({ text, ...tick }: TickProps & { text: string }) {
  return (
    <label>
      <input {...tickProps(tick)} />
      {text}
    </label>
  )
}
