import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RefusedName } from './names.ts'
import { type Registration, read, register } from './register.ts'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The end of the object, or in front of the end of the list, that is exported under a name. */
const endOf = (name: string, end = '\\}'): RegExp =>
  new RegExp(`(?<=^(export )?const ${name} = [\\[{]\\n(.*\\n)*?)^${end}`, 'm')

/** Imports of the names that the file does not import yet. */
const importsOf = (root: string, path: string, from: string, names: readonly string[]): Registration[] => {
  const known =
    new RegExp(`^import \\{([^}]*)\\} from '${from}'`, 'm').exec(read(join(root, path)))?.[1] ?? ''
  const missing = names.filter((name) => !known.match(/\w+/g)?.includes(name))
  return missing.length === 0
    ? []
    : [{ path, before: /^/, text: `import { ${missing.join(', ')} } from '${from}'` }]
}

const refuseTaken = (root: string, path: string, text: string, name: string): void => {
  if (read(join(root, path)).includes(text))
    throw new RefusedName(`There is ${name} already: see ${path}. Nothing was written.`)
}

/** `locker-assigned` is the email LOCKER_assigned, beside those that begin with the same word. */
const email = (root: string, [first = '', ...rest]: readonly string[]): Registration[] => {
  const family = `${first.toUpperCase()}_`
  const label = `${family}${rest.join('_')}`
  const path =
    globSync('server/core/mail/kinds/*.ts', { cwd: root })
      .map((file) => file.replaceAll('\\', '/'))
      .find((file) => read(join(root, file)).includes(`\n  ${family}`)) ??
    'server/core/mail/kinds/program-emails.ts'
  refuseTaken(root, path, `\n  ${label}:`, label)
  const title = capital([first, ...rest].join(' '))
  return [
    {
      path,
      before: endOf('\\w+Emails'),
      text: `  ${label}: email({
    person: 'student',
    fields: { 'student.firstName': studentFirstName, link: link('The page that it leads to') },
    when: 'Sent when …',
    about: '${title}. Tells a student …',
    en: ['${title}', 'Hello {{student.firstName}},', '<a href="{{link}}">See it</a>'],
  }),`,
    },
    ...importsOf(root, path, '../email-kind.ts', ['email']),
    ...importsOf(root, path, '../mail-fields.ts', ['link', 'studentFirstName']),
  ]
}

/** `lab-check` is the event of changes of the table lab_check. */
const event = (root: string, words: readonly string[]): Registration[] => {
  const path = 'server/modules/changes/functions.sql'
  const [kind, table] = [words.join('-'), words.join('_')]
  refuseTaken(root, path, `\n    ('${table}'`, `an event of ${table}`)
  return [
    {
      path,
      before: /^ {2}end case;\n {2}if e\.program_id is null/m,
      text: `    when '${table}' then
      e.kind := '${kind}'; e.program_id := new.program_id; e.record_id := new.id;
      e.after := jsonb_build_object();`,
    },
    {
      path,
      before: /^ {4}\('agreement_reminder'/m,
      text: `    ('${table}', 'insert or update'),`,
    },
  ]
}

/** `lab-check-made` is the webhook event lab-check.made of the domain event lab-check. */
const webhook = (root: string, words: readonly string[]): Registration[] => {
  const [list, rules] = ['contract/webhooks/webhooks.ts', 'server/modules/webhooks/told.rules.ts']
  const kind = words.slice(0, -1).join('-')
  const type = `${kind}.${words.at(-1)}`
  const name = words.slice(0, -1).map(capital).join('')
  refuseTaken(root, list, `'${type}'`, type)
  refuseTaken(root, rules, `of${name} = `, `a rule of ${kind}`)
  return [
    { path: list, before: endOf('webhookEvents', '\\]'), text: `  '${type}',` },
    {
      path: rules,
      before: /^const rules: /m,
      text: `const of${name} = ({ record_id, before, after }: Told): Webhook | undefined =>
  before ? undefined : { type: '${type}', subject: \`${kind}/\${record_id}\`, data: { ${name}Id: record_id, ...after } }
`,
    },
    { path: rules, before: /(?<=^const rules: .*\n(.*\n)*?)^\}/m, text: `  '${kind}': of${name},` },
  ]
}

/** `absent-time` is the column AbsentTime of Hours Summary. */
const column = (root: string, words: readonly string[]): Registration[] => {
  const [declared, counted] = ['contract/time/hours-summary.ts', 'server/modules/time/hours.queries.ts']
  const [name, inSql] = [words.map(capital).join(''), words.join('_')]
  refuseTaken(root, counted, ` as ${inSql}`, inSql)
  return [
    {
      path: declared,
      before: endOf('hoursFigures', '\\] as const'),
      text: `  { name: '${name}', title: '${capital(words.join(' '))}' },`,
    },
    { path: counted, before: /^ {8}coalesce\(b\.days, 0\) as absent_days/m, text: `        0 as ${inSql},` },
  ]
}

/** `jrcert-employer-satisfaction` is a measure of JRCERT. */
const measure = (root: string, [accreditor = '', ...rest]: readonly string[]): Registration[] => {
  const path = 'contract/graduates/measure-profiles.ts'
  const title = capital(rest.join(' '))
  const line = `measure('${title}', { ...completion, ...free }),`
  const known = new RegExp(`^  ${accreditor}: \\{\\n[^]*?^  \\},`, 'm').exec(read(join(root, path)))?.[0]
  if (known?.includes(`measure('${title}'`))
    throw new RefusedName(`There is ${title} already: see ${path}. Nothing was written.`)
  return [
    known
      ? {
          path,
          before: new RegExp(`(?<=^  ${accreditor}: \\{\\n(.*\\n)*?)^ {4}\\],`, 'm'),
          text: `      ${line}`,
        }
      : {
          path,
          before: endOf('profiles'),
          text: `  ${accreditor}: {
    name: '${accreditor.toUpperCase()}',
    measures: [
      ${line}
    ],
  },`,
        },
  ]
}

/** `log-count` is the filter Count of the list whose filters are `logFilters`: by the column `count`. */
const filter = (root: string, words: readonly string[]): Registration[] => {
  for (let length = words.length - 1; length > 0; length--) {
    const [first = '', ...more] = words.slice(0, length)
    const list = `${first}${more.map(capital).join('')}Filters`
    const path = globSync('contract/**/*.ts', { cwd: root })
      .map((file) => file.replaceAll('\\', '/'))
      .find((file) => read(join(root, file)).includes(`export const ${list} = {`))
    if (path === undefined) continue
    const [name = '', ...others] = words.slice(length)
    const inAddress = `${name}${others.map(capital).join('')}`
    refuseTaken(root, path, `\n  ${inAddress}: by`, `a filter ${inAddress}`)
    return [
      {
        path,
        before: endOf(list, '\\} as const'),
        text: `  ${inAddress}: byOption('${capital(inAddress)}', '${capital(words.slice(length).join(' '))}'),`,
      },
      ...importsOf(root, path, '#contract/core/filters.ts', ['byOption']),
    ]
  }
  throw new RefusedName(
    `No list has filters of this name: say those of the contract and the filter, such as open-shift-places for openShiftFilters.`,
  )
}

/** What can be added to what is there, with what is to be done next. */
const parts: Record<
  string,
  { lines: (root: string, words: readonly string[]) => Registration[]; next: string }
> = {
  email: {
    lines: email,
    next: `Write its texts, in Spanish as 'es' where students, graduates or supervisors get it. The module that sends it calls
queueTemplatedEmails with its label.`,
  },
  event: {
    lines: event,
    next: `Say in the function which changes count and what is told of them. Who hears it is in server/subscribers.ts; a kind that the change
feed of the API tells too is a line in contract/changes/changes.ts.`,
  },
  webhook: {
    lines: webhook,
    next: 'Say in the rule which changes are told, and what of them. Names and texts of people stay out of it.',
  },
  column: {
    lines: column,
    next: 'Say in the query what it counts. The reference of the bench (bench/bare-hours.ts) has to say it too.',
  },
  filter: {
    lines: filter,
    next: `Say how it is chosen: by value, of the program, only those, by days (contract/core/filters.ts). Where its name is no column of the list's
table, say in whereOf what it asks.`,
  },
  measure: {
    lines: measure,
    next: 'Say who counts, within how many months and over how many years, and what the rate is held against.',
  },
}

/** The names of the parts. */
export const partKinds = Object.keys(parts)

/**
 * Writes a part into the files that are there.
 *
 * @returns their paths, and what is to be done next
 * @throws RefusedName when the name is taken or cannot be one
 */
export const writePart = (root: string, kind: string, name: string): { changed: string[]; next: string } => {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(name))
    throw new RefusedName(
      `Name it in two lower-case words or more, with hyphens: npm run new -- ${kind} locker-assigned`,
    )
  // The command asks for one of `partKinds`.
  const { lines, next } = parts[kind]!
  const changed = register(root, lines(root, name.split('-')))
  for (const [path, text] of changed) writeFileSync(join(root, path), text)
  return { changed: [...changed.keys()], next }
}
