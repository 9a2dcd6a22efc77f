import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('every choice has the shared list, in which typing makes the first match the one that Enter takes', () => {
  const own = /\b(Select|MultiSelect|Autocomplete|TagsInput|PillsInput|Combobox|useCombobox)\b/
  const withOwn = globSync('web/**/*.tsx').filter((file) =>
    [...readFileSync(file, 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].some(
      ([, names = '']) => own.test(names),
    ),
  )
  expect(withOwn.sort()).toEqual([
    'web/ui/choice/ChoiceDropdown.tsx',
    'web/ui/filters/ChipList.tsx',
    'web/ui/form/MultiSelectField.tsx',
    'web/ui/form/SelectField.tsx',
  ])
  for (const file of withOwn)
    expect(readFileSync(file, 'utf8'), file).toMatch(/<ChoiceDropdown\b|useFirstMatch\(/)
})
