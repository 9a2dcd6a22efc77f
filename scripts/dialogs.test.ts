import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

const sources = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
  .map((path) => `web/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.tsx'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const dialogs = sources.filter(({ text }) => /<Dialog\b/.test(text))

/** Dialogs in whose file something is typed or ticked that the dialog does not hear of, and why nothing is lost. */
const quiet: Readonly<Record<string, string>> = {
  'web/modules/competencies/GradeForm.tsx': 'these are of the page',
  'web/modules/evaluations/LinksDialog.tsx': 'shows an address to copy',
  'web/modules/evaluations/PartsDialogs.tsx': 'each part is saved at once',
  'web/modules/evaluations/ScoreTypesPage.tsx': 'these are of the page',
  'web/modules/identity/TotpSettings.tsx': 'a code of six digits',
  'web/modules/imports/SyncKeysDialog.tsx': 'makes a key, which is listed at once',
  'web/modules/menus/MenuItemsPage.tsx': 'a file is used as soon as it is chosen',
  'web/modules/placement/CopyRanksDialog.tsx': 'ticks about one press',
  'web/modules/reports/CustomReportPage.tsx': 'these are of the page',
  'web/modules/session/SwitchDialog.tsx': 'a code of six digits',
  'web/modules/system/RestoredCopySection.tsx': 'a tick about one press',
  'web/modules/time/OwnHoursPage.tsx': 'these are of the page',
  'web/shared/college-connection.tsx': 'shows an address to copy',
  'web/shell/ProofDialog.tsx': 'a password or a code',
  'web/ui/grid/InlineGrid.tsx': 'the row asks for itself',
}

const typed =
  /<(Checkbox|Radio|Switch|TextInput|Textarea|NumberInput|PasswordInput|input|select|textarea|FileDrop)\b/
const silent = dialogs.filter(({ text }) => typed.test(text) && !/\bunsaved=/.test(text))

test('what is typed in a dialog is asked about before it is lost: by a field, a form, or the number of changes', () => {
  expect(silent.map(({ path }) => path).filter((path) => !(path in quiet))).toEqual([])
  expect(Object.keys(quiet).filter((path) => !silent.some((each) => each.path === path))).toEqual([])
})

test('every field tells the dialog around it', () => {
  const fields = sources.filter(({ path }) => /^web\/ui\/form\/\w+Field\.tsx$/.test(path))
  expect(fields.length).toBeGreaterThan(9)
  expect(fields.filter(({ text }) => !text.includes('useFieldWork(')).map(({ path }) => path)).toEqual([])
})

test('Cancel and Close in the foot of a dialog ask as × does', () => {
  const button = /<Button\b((?:[^<>]|=>)*)>\s*([^<]*)</g
  const closes = (attributes: string, label: string) =>
    /onClick=\{(props\.)?onClose\}/.test(attributes)
      ? attributes.includes('variant=')
      : /^\{words\('ui\.cancel'\)\}/.test(label)
  const found = dialogs.filter(({ text }) =>
    [...text.matchAll(button)].some(([, attributes = '', label = '']) => closes(attributes, label)),
  )
  // The one of a row, where Escape does the same, and one of a form on its page.
  expect(found.map(({ path }) => path).toSorted()).toEqual([
    'web/modules/identity/TotpSettings.tsx',
    'web/ui/grid/InlineGrid.tsx',
  ])
})
