import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { DeclaredFailure } from '#contract/core/failure.ts'

const root = resolve(import.meta.dirname, '..')
const sources = globSync('{server,contract}/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  .map((file) => ({ file, code: readFileSync(resolve(root, file), 'utf8') }))
  .toSorted((one, other) => one.file.localeCompare(other.file))

/** The lists of failures by their names, such as `siteFailures`. */
const lists = new Map<string, Readonly<Record<string, DeclaredFailure>>>()
for (const file of globSync('contract/*/{failures,own-refusals}.ts', { cwd: root }))
  for (const [name, list] of Object.entries(await import(resolve(root, file)))) lists.set(name, list as never)

const declared = [...lists].flatMap(([list, failures]) =>
  Object.entries(failures).map(([name, failure]) => ({ list, name, failure })),
)

/** Where a source makes up a failure, with a status or a text of its own. */
const undeclaredIn = (code: string): string[] =>
  [...code.matchAll(/\bnew Failure\(\s*(?:['"`\d]|\{).*/g)].map(([found]) => found)

test('a failure that is thrown is declared in the contract', () => {
  // What the worker kept of a refusal is told once more as it was.
  const told = sources.filter(
    ({ file }) => !/server\/(core\/runtime\/failure|modules\/tasks\/tasks\.routes)\.ts$/.test(file),
  )
  expect(told.length).toBeGreaterThan(500)
  expect(told.flatMap(({ file, code }) => undeclaredIn(code).map((found) => `${file}: ${found}`))).toEqual([])
  expect(undeclaredIn("throw new Failure(409, 'taken', 'Taken.')")).toHaveLength(1)
  expect(
    undeclaredIn("throw new Failure({ text: { status: 409, code: 'taken', en: 'Taken.' } })"),
  ).toHaveLength(1)
})

test('each failure of a domain is declared once, under the name of its code where it has that alone', () => {
  expect(declared.length).toBeGreaterThan(500)
  for (const [list, failures] of lists) {
    const said = Object.values(failures).map(({ status, code, en }) => `${status} ${code} ${en}`)
    expect(
      said.filter((each, at) => said.indexOf(each) !== at),
      list,
    ).toEqual([])
  }
  const codes = declared.filter(
    ({ name, failure }) => !/^[a-z][a-z0-9_]*$/.test(name) && name !== failure.code,
  )
  expect(codes.map(({ name }) => name)).toEqual([])
})

test('each declared failure is thrown somewhere', () => {
  const all = sources.map(({ code }) => code).join('\n')
  // Lists that are chosen from by a code.
  const chosen = [...lists.keys()].filter((list) => new RegExp(`\\b${list}\\[`).test(all))
  const idle = declared.filter(
    ({ list, name }) => !chosen.includes(list) && !new RegExp(`\\b${list}\\.${name}\\b`).test(all),
  )
  expect(idle.map(({ list, name }) => `${list}.${name}`)).toEqual([])
})

const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))].sort()

test('Spanish fills in what English does, and is not English', () => {
  for (const { list, name, failure } of declared) {
    if (failure.es === undefined) continue
    expect(placeholders(failure.es), `${list}.${name}`).toEqual(
      failure.code === 'not_found' && failure.es.startsWith('No existe o') ? [] : placeholders(failure.en),
    )
    if (/[a-z]{3}/.test(failure.en.replace(/\{[^}]*\}/g, '')))
      expect(failure.es, `${list}.${name}`).not.toBe(failure.en)
  }
})

/** Files whose refusals students, graduates, supervisors and people with links meet. */
const own = globSync(
  [
    'server/modules/time/{clock.routes,last-day.queries,punch.rules,take-back.commands,pairs.*,change-decisions.commands,changes.queries}.ts',
    'server/modules/competencies/{exams.routes,exam-grading.routes,exam-decisions.commands,log-lines.rules,log-decisions.rules,procedure-logs.routes,log-verification.routes,supervision.routes}.ts',
    'contract/competencies/log-rules.ts',
    'server/modules/requirements/{own-requirements.routes,proof-files.service,proof.rules}.ts',
    'server/modules/identity/{account,email,passwordless,authenticator,sign-in,proofs,not-me,college}.routes.ts',
    'server/modules/identity/{second-factor,own-address,password-proof}.service.ts',
    'server/modules/{inbox/inbox.routes,inbox/inbox.queries,links/links.service,placement/after/own-placement.routes}.ts',
    'server/modules/shift-changes/{own-shift-changes.routes,open-shifts.routes,outcomes.service}.ts',
    'server/modules/push/{push.routes,push-failures.rules}.ts',
    'server/modules/evaluations/evaluations.routes.ts',
    'server/modules/tasks/tasks.routes.ts',
    'server/core/{http/guard,http/anonymous,http/sensitive,http/web,http/throttle,http/basis,http/input,http/ip-refusal}.ts',
    'server/core/{auth/begin-session,auth/password,auth/inbox-link,runtime/turns,runtime/heavy-calls,runtime/people-lock}.ts',
    'server/core/files/*.ts',
  ],
  { cwd: root, exclude: ['**/*.test.ts'] },
)
/** Failures of these files that only staff or systems meet. */
const ofOthers = new Set([
  'coreFailures.expectation',
  'coreFailures.headers_too_large',
  'coreFailures.key_right',
  'coreFailures.malformed_http',
  'coreFailures.malformed_json',
  'coreFailures.not_for_keys',
  'coreFailures.private_key_right',
  'coreFailures.too_slow',
  'evaluationFailures.anonymous_evaluator',
  'evaluationFailures.anonymous_one_by_one',
  'shiftChangeFailures.above_capacity',
  'shiftChangeFailures.closed_before',
  'shiftChangeFailures.day_off',
  'shiftChangeFailures.day_refused',
  'shiftChangeFailures.no_levels',
  'shiftChangeFailures.not_closed',
  'shiftChangeFailures.sign_up_too_late',
  'shiftChangeFailures.too_few_places',
  'taskFailures.failed',
])

test('the refusals that these people meet are said in Spanish', () => {
  expect(own.length).toBeGreaterThan(40)
  const thrown = own.flatMap((file) =>
    [...readFileSync(resolve(root, file), 'utf8').matchAll(/\b(\w+Failures)\.(\w+)/g)].map(
      ([named, list = '', name = '']) => ({ named, failure: lists.get(list)?.[name] }),
    ),
  )
  const english = thrown.filter(({ named, failure }) => failure?.es === undefined && !ofOthers.has(named))
  expect([...new Set(english.map(({ named }) => named))].sort()).toEqual([])
})
