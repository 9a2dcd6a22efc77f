import type { ReactNode } from 'react'
import type {
  byChoice,
  byCohort,
  byDays,
  byLevels,
  byLink,
  byOption,
  bySearch,
  byValue,
  byView,
  onlyThose,
} from '#contract/core/filters.ts'
import type { OptionKind } from '#contract/scheduling/scheduling-options.ts'
import type { Option } from '#web/ui/choice/use-options.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { useFilled } from '#web/words/use-words.ts'
import { ChoiceChip, LevelsChip } from './ChoiceChip.tsx'
import { CohortChip } from './CohortChip.tsx'

type Each = ReturnType<
  | typeof byValue<string, Readonly<Record<string, string>>>
  | typeof byView<string, Readonly<Record<string, string>>>
  | typeof byChoice<string, OptionKind>
  | typeof byLevels<string>
  | typeof byOption<string>
  | typeof byLink<string>
  | typeof onlyThose<string>
  | typeof byCohort
  | typeof bySearch
  | typeof byDays
>

export interface ListFiltersProps {
  filters: Readonly<Record<string, Each>>
  /** The list of these filters, by `useFilteredList`. */
  list: {
    at: Readonly<Record<string, unknown>>
    filter: (change: Record<string, unknown>) => void
    reset: () => void
    isFiltered: boolean
  }
  /** What is chosen from, by the name of a filter that has no choice of its own. */
  options?: Readonly<Record<string, readonly Option[]>>
  /** Quiet things at the right of the chips. */
  end?: ReactNode
}

/** The chips of a list by the filters that the contract declares, in their order. */
export function ListFilters({ filters, list, options = {}, end }: ListFiltersProps) {
  const filled = useFilled()
  const optionsOf = (labels: Readonly<Record<string, string>>): Option[] =>
    Object.entries(labels).map(([value, label]) => ({ value, label: filled(label) }))
  const chipOf = ([key, filter]: [string, Each]) => {
    const value = list.at[key]
    const set = (next: unknown) => list.filter({ [key]: next })
    const common = {
      key,
      name: filled(filter.label),
      ...('none' in filter && filter.none && { none: filter.none }),
    }
    switch (filter.chip) {
      case 'value':
        return (
          <SelectChip
            {...common}
            options={optionsOf(filter.options)}
            value={value ? String(value) : null}
            onChange={(next) => set(next ?? '')}
          />
        )
      case 'view':
        return (
          <SelectChip
            {...common}
            fixed
            options={optionsOf(filter.options)}
            value={Object.hasOwn(filter.options, String(value)) ? String(value) : filter.initial}
            onChange={set}
          />
        )
      case 'choice':
        return <ChoiceChip {...common} kind={filter.kind} value={value as number | null} onChange={set} />
      case 'levels':
        return <LevelsChip {...common} value={value as number[]} onChange={set} />
      case 'option':
        return (
          <SelectChip
            {...common}
            options={[...(options[key] ?? [])]}
            value={value === null ? null : String(value)}
            onChange={(id) => set(id === null ? null : Number(id))}
          />
        )
      case 'only':
        return (
          <SelectChip
            {...common}
            options={[{ value: 'only', label: filled(filter.option) }]}
            value={value ? 'only' : null}
            onChange={(next) => set(next !== null)}
          />
        )
      case 'link':
        return null
      case 'cohort':
        return <CohortChip key={key} value={String(value)} onChange={set} />
      case 'search':
        return (
          <SearchBox
            key={key}
            label={common.name}
            value={String(value)}
            maxLength={filter.max}
            onChange={set}
          />
        )
      case 'days': {
        const { from, through } = list.at as { from: string; through: string }
        return (
          <DateRangeChip
            {...common}
            value={{ from: from || null, to: through || null }}
            onChange={(days) => list.filter({ from: days.from ?? '', through: days.to ?? '' })}
          />
        )
      }
    }
  }
  return (
    <FilterBar isSet={list.isFiltered} onReset={list.reset} end={end}>
      {Object.entries(filters).map(chipOf)}
    </FilterBar>
  )
}
