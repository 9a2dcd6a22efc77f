import type { ImportResult } from '#contract/imports/imports.ts'
import { suggestValue, type ValueMapping } from '#contract/imports/imports-rules.ts'

/** What the values of a file mean: as matched before, or what most likely is meant. Those that are open are not in it. */
export const valuesOf = ({ Values, Choices }: Pick<ImportResult, 'Values' | 'Choices'>): ValueMapping => {
  const found: ValueMapping = {}
  for (const { Field, Text, To } of Values) {
    const meant = To ?? suggestValue(Text, Choices[Field] ?? [])
    if (meant !== undefined) found[Field] = { ...found[Field], [Text]: meant }
  }
  return found
}
