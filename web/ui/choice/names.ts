import type { Words } from '#web/words/plain-words.ts'
import type { Option } from './use-options.ts'

/** The chosen names as one text: up to three, then "N selected". */
export function namesOf(
  words: Words,
  selected: readonly string[],
  options: readonly Option[] | undefined,
  labels?: Record<string, string>,
): string {
  if (selected.length > 3) return words('ui.selected', { count: selected.length })
  return selected
    .map((value) => options?.find((option) => option.value === value)?.label ?? labels?.[value] ?? value)
    .join(', ')
}
