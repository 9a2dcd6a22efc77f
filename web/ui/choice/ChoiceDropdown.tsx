import { Combobox, type ComboboxStore, ScrollArea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useWords } from '#web/words/use-words.ts'
import classes from './Choice.module.css'
import { useFirstMatch, useSearchField } from './use-first-match.ts'
import { fullMessage, type OptionSource, useOptions } from './use-options.ts'

export type ChoiceDropdownProps = OptionSource & {
  store: ComboboxStore
  label: string
  text: string
  onText: (text: string) => void
  selected: ReadonlySet<string>
  /** Most options that may be chosen. */
  most?: number
  /** With ticks in front, and the list stays open. */
  isMulti?: boolean
  /** Above the options: "All", "Clear". */
  top?: ReactNode
}

/** Float mode: below 400 px there is no room beside a field, and the list takes the width of the screen. */
const floating = { left: 8, minWidth: 'calc(100vw - 16px)' } as const

/** The opened part of every select: search, options, and one sentence when there is something to say. */
export function ChoiceDropdown(props: ChoiceDropdownProps) {
  const { store, label, text, onText, selected, most, isMulti } = props
  const words = useWords()
  const id = useId()
  const { shown, isCurrent, isSearching, message, onMore, onRetry } = useOptions(
    props,
    text,
    store.dropdownOpened,
  )
  const withSearch = useSearchField(store, text, Boolean(props.search) || (props.options?.length ?? 0) > 8)
  const onEnter = useFirstMatch(store, text, isCurrent ? shown : undefined)
  const isFloating = useMediaQuery('(max-width: 399px)', false, { getInitialValueInEffect: false })
  const add = props.options?.length === 0 ? props.add : undefined
  const refresh = store.dropdownOpened ? add?.refresh : undefined
  const isRefreshed = useRef(false)
  useEffect(() => {
    if (refresh && !isRefreshed.current) refresh()
    isRefreshed.current = Boolean(refresh)
  }, [refresh])
  const isFull = isMulti && most !== undefined && selected.size >= most
  let group: string | undefined
  return (
    <Combobox.Dropdown className={classes.dropdown} style={isFloating ? floating : undefined}>
      {withSearch && (
        <Combobox.Search
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={onEnter}
          placeholder={words('ui.search')}
          aria-label={words('ui.searchIn', { label })}
        />
      )}
      {props.top}
      <ScrollArea.Autosize
        mah={280}
        type="scroll"
        className={classes.list}
        data-searching={isSearching || undefined}
        viewportProps={{ tabIndex: -1 }}
      >
        <Combobox.Options aria-label={label} aria-multiselectable={isMulti || undefined}>
          {shown.map((option) => {
            const isSelected = selected.has(option.value)
            const heading = option.group !== group ? option.group : undefined
            group = option.group
            return (
              <div key={option.value} role="presentation">
                {heading && (
                  <div className={classes.group} role="presentation">
                    {heading}
                  </div>
                )}
                <Combobox.Option
                  value={option.value}
                  active={isSelected}
                  aria-selected={isSelected}
                  // Beside its name, not in it.
                  aria-describedby={option.about === undefined ? undefined : `${id}-${option.value}`}
                  disabled={Boolean(option.reason) || (isFull && !isSelected)}
                  className={classes.option}
                >
                  {isMulti && (
                    <span className={classes.tick} data-on={isSelected || undefined}>
                      {isSelected && <IconCheck size={12} stroke={3} aria-hidden />}
                    </span>
                  )}
                  <span className={classes.label} title={option.label}>
                    {option.label}
                    {option.about && (
                      <span className={classes.about} id={`${id}-${option.value}`} aria-hidden>
                        {option.about}
                      </span>
                    )}
                    {option.reason && <span className={classes.reason}>{option.reason}</span>}
                  </span>
                  {option.detail && <span className={classes.detail}>{option.detail}</span>}
                  {!isMulti && isSelected && <IconCheck size={16} aria-hidden />}
                </Combobox.Option>
              </div>
            )
          })}
        </Combobox.Options>
        {(message || isFull) && (
          <div className={classes.message} role="status">
            {/* Full means that there is a maximum. */}
            {message ?? fullMessage(most!)}
            {add && (
              <a className={classes.link} href={add.href} target="_blank" rel="noreferrer">
                {add.label}
              </a>
            )}
            {onRetry && (
              <button
                type="button"
                className={classes.link}
                onClick={() => {
                  store.focusSearchInput()
                  onRetry()
                }}
              >
                {words('ui.tryAgain')}
              </button>
            )}
          </div>
        )}
        {onMore && (
          <button
            type="button"
            className={classes.link}
            onClick={() => {
              // The button goes away while it loads; the focus returns to the search, where Escape is heard.
              store.focusSearchInput()
              onMore()
            }}
          >
            {words('ui.moreResults')}
          </button>
        )}
      </ScrollArea.Autosize>
    </Combobox.Dropdown>
  )
}
