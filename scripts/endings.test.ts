import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

const read = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const deletes = new Set(
  read('contract').flatMap(({ text }) =>
    [...text.matchAll(/export const (\w+) = endpoint\(\{\s*method: 'DELETE'/g)].map(([, name]) => name),
  ),
)
const verbs =
  /^(delete|remove|end|revoke|deactivate|disconnect|withdraw|cancel|stop|close|unlink|decline)[A-Z]/
const ends = (call: string): boolean => deletes.has(call) || verbs.test(call)

/**
 * The statement of a component in which something stands, and of JSX the handler: how our formatter writes it, statements of a function at
 * the top of a file are indented by two.
 */
const around = (text: string, at: number): string => {
  const before = text.slice(0, at)
  const start = Math.max(...[...before.matchAll(/^ {2}(?=[a-z])/gm)].map(({ index }) => index), 0)
  const next = text.slice(at).search(/^ {2}(?=[a-z}])|^\}/m)
  const whole = text.slice(start, next === -1 ? text.length : at + next)
  if (!whole.startsWith('  return')) return whole
  const handler = before.search(/\bon[A-Z]\w*(?:=\{|: )(?![\s\S]*\bon[A-Z]\w*(?:=\{|: ))/)
  const closes = text.slice(at).search(/^ {4,}(?:>|\/>|\},?)$/m)
  return text.slice(Math.max(start, handler), closes === -1 ? text.length : at + closes)
}

const calls = read('web').flatMap(({ path, text }) =>
  [...text.matchAll(/const (\w+) = useSave\(\s*(\w+)/g)]
    .filter(([, , call = '']) => ends(call))
    .flatMap(([, name, call = '']) =>
      [...text.matchAll(new RegExp(`\\b${name}\\.run\\(`, 'g'))].map(({ index }) => ({
        key: `${path} ${call}`,
        isAsked: /\bconfirm\(|\battemptWhenSure\(|\bquestion: |\bdeleteWithUndo\(|\bofferUndo\(|\bundo:/.test(
          around(text, index),
        ),
      })),
    ),
)

/** What neither asks nor offers Undo where it calls, and why nobody ends something by one slip. */
const elsewhere: Readonly<Record<string, string>> = {
  'web/modules/clinical-records/record-dialogs.tsx revokeClinicalRecord': 'asks for a reason',
  'web/modules/clinical-records/record-dialogs.tsx withdrawClearance': 'asks for a reason',
  'web/modules/competencies/OwnExamPage.tsx withdrawExam': 'asks for a reason',
  'web/modules/competencies/use-lists.ts removeCompetencyParts': 'its pages offer Undo',
  'web/modules/identity/PushSection.tsx removePushDevice': 'the own device, which turns it on again',
  'web/modules/people/RegistrantDialog.tsx declineRegistrant': 'asks for a reason',
  'web/modules/safety/IncidentsPage.tsx closeIncident': 'asks for the follow-up',
  'web/modules/safety/OwnSafetyPage.tsx withdrawDeclaration': 'is signed',
  'web/modules/scheduling/AssignDialog.tsx removeShiftAssignments': 'is itself the Undo of what was added',
  'web/modules/students/PlanDialogs.tsx closeRemediationPlan': 'asks for the outcome',
  'web/modules/system/RestoredCopySection.tsx endRestoredCopy': 'its dialog is the question',
}

test('whatever ends, removes or takes something from somebody asks first or can be undone', () => {
  const bare = new Set(calls.filter(({ isAsked }) => !isAsked).map(({ key }) => key))
  expect(calls.length).toBeGreaterThan(80)
  expect([...bare].filter((key) => !(key in elsewhere)).toSorted()).toEqual([])
  expect(Object.keys(elsewhere).filter((key) => !bare.has(key))).toEqual([])
})
