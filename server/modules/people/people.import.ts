import { type RawBuilder, sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import { AlikePeople, type NamedPerson } from '#contract/people/alike.ts'
import { listTakenUserNames } from '#server/core/auth/user-names.across.ts'
import { countedStem, freeUserName, userNameStem } from '#server/core/auth/user-names.ts'
import type { Db } from '#server/core/database/pool.ts'
import { type FieldChoices, namedChoices, notAmong } from '#server/core/imports/choices.ts'
import type {
  ImportDefinition,
  ImportRunScope,
  KeptRow,
  ProgramScope,
} from '#server/core/imports/definition.ts'
import { personKey } from '#server/core/imports/names.ts'
import {
  duplicateKeys,
  type Existing,
  emptyPlan,
  indexBy,
  lower,
  type Plan,
  planChange,
  type ReadRow,
} from '#server/core/imports/plan.ts'
import { columnTypes, type TableStore, tableStore, usedBy } from '#server/core/imports/table-store.ts'
import { listAreaChoices } from '../areas/areas.queries.ts'
import { listDirectories } from '../identity/directory.queries.ts'
import { accountColumns } from './account-columns.rules.ts'
import { deleteImported } from './imported.commands.ts'

const { text, optionalText, id } = columnTypes
const level = { type: 'smallint', empty: null } as const

const accounts = tableStore({
  table: 'account',
  columns: {
    first_name: { field: 'FirstName', ...text },
    last_name: { field: 'LastName', ...text },
    middle_name: { field: 'MiddleName', ...text },
    suffix: { field: 'Suffix', ...text },
    email: { field: 'EmailAddress', ...text },
    is_email_confirmed: { type: 'boolean', empty: false },
    user_name: { field: 'UserName', ...text },
    phone: { field: 'PhoneNumber', ...text },
    zip: { field: 'ZipCode', ...text },
    institution: { field: 'Institution', ...text },
    area_id: { field: 'Area', ...id },
    student_number: { field: 'StudentNumber', ...optionalText },
    student_level_id: { field: 'StudentLevel', ...level },
    cohort: { field: 'Cohort', ...optionalText },
    access_level: { field: 'Role', ...level },
  },
  name: sql`t.first_name || ' ' || t.last_name`,
  uses: () => [
    ['has signed in', sql`exists (select from session x where x.account_id = t.id)`],
    ...usedBy('student_id', [
      ['is placed on shifts', 'shift_assignment u where u.removed_at is null and'],
      [
        'is in a placement plan',
        'placement_student u join placement_plan p on p.program_id = u.program_id and p.id = u.plan_id and p.deleted_at is null where',
      ],
    ]),
    ...usedBy('account_id', [
      [
        'is tied to sites',
        'supervisor_site u join site s on s.program_id = u.program_id and s.id = u.site_id and s.deleted_at is null where',
      ],
    ]),
  ],
  remove: deleteImported,
})

/** Rows that are part of something that can be deleted, and are no use of a person from then on: where it still is; `x` is the row. */
const wholes: Record<string, RawBuilder<unknown>> = {
  placement_student: sql`placement_plan p where p.program_id = x.program_id and p.id = x.plan_id and p.deleted_at is null`,
  placement_cell: sql`placement_draft d join placement_plan p on p.program_id = d.program_id and p.id = d.plan_id
    where d.program_id = x.program_id and d.id = x.draft_id and d.deleted_at is null and p.deleted_at is null`,
  // It adds up records and shifts, and stays when none is left.
  student_hours: sql`(values (1)) v where x.records + x.shifts <> 0`,
}

/** Where rows refer to people: tables that keep something of their own about a person, and lose it only with an intention. */
const listReferences = async (db: Db) =>
  (
    await sql<{ table: string; column: string; live: string | null }>`
      select c.relname as "table", a.attname as "column", (
          select l.attname from pg_attribute l where l.attrelid = c.oid and l.attnum > 0 and not l.attisdropped
            and l.attname in ('deleted_at', 'removed_at') limit 1) as live
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attname <> 'program_id'
      where k.contype = 'f' and k.confrelid = 'account'::regclass and k.conparentid = 0 and k.confdeltype in ('a', 'r')
        and c.relname not in ('one_time_token', 'email_notice')
      order by 1, 2`.execute(db)
  ).rows

/** People of a run of whom something is kept elsewhere. */
const findRecords = async ({ db, programId, importId }: ImportRunScope): Promise<KeptRow[]> => {
  const references = (await listReferences(db)).map(
    ({
      table,
      column,
      live,
    }) => sql`exists (select from ${sql.table(table)} x where x.${sql.ref(column)} = a.id
      ${live === null ? sql`` : sql`and x.${sql.ref(live)} is null`}
      ${wholes[table] ? sql`and exists (select from ${wholes[table]})` : sql``})`,
  )
  const { rows } = await sql<KeptRow>`
    select a.id, a.first_name || ' ' || a.last_name as name, 'has records of their own' as reason from account a
    where a.program_id = ${programId} and a.import_id = ${importId} and a.deleted_at is null and (${sql.join(references, sql` or `)})
    order by 2, 1`.execute(db)
  return rows
}

const store: TableStore = {
  ...accounts,
  async findKept(run) {
    const kept = await accounts.findKept(run)
    const known = new Set(kept.map(({ id }) => id))
    return [...kept, ...(await findRecords(run)).filter(({ id }) => !known.has(id))]
  },
}

/** The student levels of a program as files name them, also by their number. */
const listLevelChoices = async (db: Db, programId: number): Promise<FieldChoices> => {
  const rows = await db
    .selectFrom('student_level')
    .select(['id', 'name'])
    .where('program_id', '=', programId)
    .orderBy('id')
    .execute()
  // A level's name goes before another level's number.
  const ids = new Map([
    ...rows.map(({ id }) => [String(id), id] as const),
    ...rows.map(({ id, name }) => [name.toLowerCase(), id] as const),
  ])
  return namedChoices(
    'a student level',
    ids,
    rows.map(({ name }) => name),
  )
}

const roles: Record<string, number> = {
  admin: Level.Admin,
  administrator: Level.Admin,
  director: Level.Director,
  programdirector: Level.Director,
  coord: Level.Coord,
  coordinator: Level.Coord,
  clinicalcoordinator: Level.Coord,
  faculty: Level.Faculty,
  clinicalinstructor: Level.Faculty,
  ccunderhood: Level.CCUnderHood,
  supervisor: Level.Supervisor,
  preceptor: Level.Supervisor,
  siteemployee: Level.SiteEmployee,
  genericemployee: Level.GenericEmployee,
}

const roleNames: readonly [string, number][] = [
  ['Admin', Level.Admin],
  ['Director', Level.Director],
  ['Coordinator', Level.Coord],
  ['Faculty', Level.Faculty],
  ['Supervisor', Level.Supervisor],
  ['Site employee', Level.SiteEmployee],
  ['Generic employee', Level.GenericEmployee],
]

/** The roles that a person of a level may give; nobody makes an account above their own. */
const roleChoices = (ownLevel: number): FieldChoices => {
  const offered = roleNames.filter(([, each]) => each <= ownLevel).map(([name]) => name)
  return {
    offered,
    read: (text) => {
      const value = roles[text.toLowerCase().replace(/[^a-z]/g, '')]
      if (value === undefined) return notAmong(text, 'a role', offered)
      return value <= ownLevel ? { value } : { problem: 'is a role above your own' }
    },
  }
}

const nameOf = ({ first_name, last_name }: Existing): string =>
  [first_name, last_name].filter(Boolean).join(' ')

/** What the installation says about user names: those of `wanted` and of the stems that are taken, in lower case. */
export interface NameQuestion {
  wanted: string[]
  stems: string[]
}
export const namesToAsk = (rows: readonly ReadRow[]): NameQuestion => {
  const wanted = new Set<string>()
  const stems = new Set<string>()
  for (const { values } of rows) {
    if (values.UserName) wanted.add(lower(values.UserName))
    else
      stems.add(
        countedStem(
          userNameStem({
            firstName: String(values.FirstName ?? ''),
            lastName: String(values.LastName ?? ''),
            email: String(values.EmailAddress ?? ''),
            studentNumber: String(values.StudentNumber ?? ''),
          }),
        ),
      )
  }
  return { wanted: [...wanted], stems: [...stems] }
}

/** The names under which directories know people of the program: user names, with and without their domain, and ids; in lower case. */
export type DirectoryNames = ReadonlyMap<number, readonly string[]>

const listDirectoryNames = async (db: Db, programId: number): Promise<DirectoryNames> => {
  const { rows } = await sql<{ id: number; names: string[] }>`
    select account_id as id, array_agg(distinct lower(n)) as names
    from scim_user s, unnest(array[s.user_name, split_part(s.user_name, '@', 1), s.external_id]) as n
    where s.program_id = ${programId} and s.deleted_at is null and n <> '' group by account_id`.execute(db)
  return new Map(rows.map(({ id, names }) => [id, names]))
}

/** By our columns, what a directory says of people: an import leaves it as it is. */
type SaidOf = Awaited<ReturnType<typeof listDirectories>>
interface NamesKnown {
  /** The answers to `namesToAsk`. */
  taken: readonly string[]
  directory?: DirectoryNames
  said?: SaidOf
  ownLevel: number
  ownId?: number | undefined
}

/**
 * People are known by their student number, then by their user name, here or in the directory, then by address and name. Whoever has the
 * address of somebody else, or nearly the name, there or in an earlier row, is told with both names. User names are given or made from
 * the name, and never change.
 */
export const planPeople = (
  kind: 'students' | 'staff',
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  { taken, directory = new Map(), said = new Map(), ownLevel, ownId }: NamesKnown,
): Plan => {
  const textOf = (row: ReadRow, field: string) =>
    row.values[field] === undefined ? undefined : lower(row.values[field])
  const columnOf = (field: string) => mapping[field] ?? field
  const errors = [
    ...duplicateKeys(rows, columnOf('StudentNumber'), (row) => textOf(row, 'StudentNumber'), 'student ID'),
    ...duplicateKeys(rows, columnOf('UserName'), (row) => textOf(row, 'UserName'), 'user name'),
    ...duplicateKeys(
      rows,
      columnOf('EmailAddress'),
      (row) =>
        row.values.StudentNumber === undefined &&
        row.values.UserName === undefined &&
        row.values.EmailAddress !== undefined
          ? `${textOf(row, 'EmailAddress')} ${personKey(row.values.FirstName, row.values.LastName)}`
          : undefined,
      'email and name',
    ),
  ]
  const byNumber = indexBy(existing, ({ student_number: number }) => (number ? lower(number) : undefined))
  const byUserName = indexBy(existing, ({ user_name: name }) => lower(name))
  const byDirectory = indexBy(existing, ({ id }) => directory.get(id))
  const byEmail = indexBy(existing, ({ email }) => (email ? lower(email) : undefined))
  const emails = new Map<string, ReadRow>()
  const alike = new AlikePeople<NamedPerson & { told: string }>(
    existing.map((each) => ({
      FirstName: String(each.first_name ?? ''),
      LastName: String(each.last_name ?? ''),
      StudentNumber: each.student_number ? String(each.student_number) : null,
      told: `${nameOf(each)} (${each.user_name}), who is in the program`,
    })),
  )
  const takenNames = new Set([...taken, ...rows.flatMap((row) => textOf(row, 'UserName') ?? [])])
  const takenElsewhere = new Set(taken)
  const counters = new Map<string, number>()
  const met = new Map<number, number>()
  const plan = emptyPlan(errors)

  for (const row of rows) {
    const tell = (field: string, Message: string) =>
      errors.push({ Row: row.line, Column: columnOf(field), Message })
    const warn = (field: string, Message: string) =>
      plan.warnings.push({ Row: row.line, Column: columnOf(field), Message })
    const name = [row.values.FirstName, row.values.LastName].filter(Boolean).join(' ')
    const number = textOf(row, 'StudentNumber')
    const userName = textOf(row, 'UserName')
    const email = textOf(row, 'EmailAddress')
    const key = personKey(row.values.FirstName, row.values.LastName)
    const withEmail = email === undefined ? [] : (byEmail.get(email) ?? [])
    const isFree = ({ student_number }: Existing) => number === undefined || !student_number
    const ways = [
      () => (number === undefined ? [] : (byNumber.get(number) ?? [])),
      () => (userName === undefined ? [] : (byUserName.get(userName) ?? [])),
      () => (userName === undefined ? [] : (byDirectory.get(userName) ?? []).filter(isFree)),
      () => withEmail.filter((each) => isFree(each) && personKey(each.first_name, each.last_name) === key),
    ]
    let found: Existing[] = []
    for (const find of ways) if (found.length === 0) found = find()
    if (found.length > 1) {
      tell(
        'EmailAddress',
        `${found.length} people have this email. Add the column User name to tell them apart.`,
      )
      continue
    }
    const earlierWithEmail = email === undefined ? undefined : emails.get(email)
    if (earlierWithEmail) {
      const { FirstName, LastName } = earlierWithEmail.values
      const other = [FirstName, LastName].filter(Boolean).join(' ')
      warn('EmailAddress', `${name} has the same email as ${other} in row ${earlierWithEmail.line}.`)
    } else if (email !== undefined) emails.set(email, row)
    const given = store.toEntity(row)
    const [before] = found
    if (!before) {
      if (userName !== undefined && takenElsewhere.has(userName)) {
        tell('UserName', `The user name ${row.values.UserName} is taken. Choose another one.`)
        continue
      }
      const [same] = withEmail
      if (same)
        warn(
          'EmailAddress',
          `${name} is added beside ${nameOf(same)} (${same.user_name}), who has the same email. If they are one person, give the row the student ID or user name of ${nameOf(same)}.`,
        )
      const person = {
        FirstName: String(row.values.FirstName ?? ''),
        LastName: String(row.values.LastName ?? ''),
        StudentNumber: number ?? null,
      }
      const near = same || earlierWithEmail ? undefined : alike.find(person)
      if (near) warn('LastName', `${name} is added, and may be the same person as ${near.told}.`)
      alike.add({ ...person, told: `${name} in row ${row.line}` })
      const stem = userNameStem({
        firstName: String(given.first_name ?? ''),
        lastName: String(given.last_name ?? ''),
        email: String(given.email ?? ''),
        studentNumber: String(given.student_number ?? ''),
      })
      plan.added.push({
        ...given,
        user_name: given.user_name ?? freeUserName(stem, takenNames, counters),
        access_level: kind === 'students' ? Level.Student : (given.access_level ?? Level.GenericEmployee),
        is_email_confirmed: false,
      })
      continue
    }
    const earlier = met.get(before.id)
    if (earlier !== undefined) {
      tell('EmailAddress', `This is the same person as in row ${earlier}.`)
      continue
    }
    met.set(before.id, row.line)
    const isStudent = before.access_level === Level.Student
    if (isStudent !== (kind === 'students')) {
      tell(
        'UserName',
        `${before.user_name} is ${isStudent ? 'a student' : 'no student'} and cannot be imported as ${kind}.`,
      )
      continue
    }
    if ((before.access_level as number) > ownLevel) {
      tell('Role', `${before.user_name} has a role above your own.`)
      continue
    }
    const isOtherName =
      userName !== undefined &&
      lower(before.user_name) !== userName &&
      !directory.get(before.id)?.includes(userName)
    if (isOtherName && number !== undefined && lower(before.student_number) === number) {
      tell('UserName', `The user name of this person is ${before.user_name}; user names never change.`)
      continue
    }
    if (isOtherName)
      warn(
        'UserName',
        `${name} is known by email and name as ${nameOf(before)} (${before.user_name}); user names never change, so ${before.user_name} stays.`,
      )
    const { Name = '', Fields = [], Kept = [] } = said.get(before.id as number) ?? {}
    for (const field of Fields.filter((each) => !Kept.includes(each))) {
      const column = accountColumns[field]
      const value = given[column]
      delete given[column]
      if (value !== undefined && (value ?? '') !== (before[column] ?? ''))
        warn(
          field,
          `It comes from ${Name} and stays as it is. Change it there, or take it over on the page of the person.`,
        )
    }
    const after = { ...before, ...given }
    if (personKey(before.first_name, before.last_name) !== personKey(after.first_name, after.last_name))
      warn('LastName', `${nameOf(before)} (${before.user_name}) is renamed ${nameOf(after)}.`)
    delete given.user_name
    if (given.email !== undefined) {
      // The same address written in another case is the same address.
      if (lower(given.email) === lower(before.email)) delete given.email
      else if (before.id === ownId) {
        // An open session would become a lasting takeover: the page of the account asks for a proof.
        tell('EmailAddress', 'This is your own email. Change it on the page of your account.')
        continue
      } else given.is_email_confirmed = false
    }
    // Whether it is confirmed goes with an address, also where nothing was confirmed before.
    planChange(plan, before, given, row.line, given.email === undefined ? [] : ['is_email_confirmed'])
  }
  return plan
}

const planOf =
  (kind: 'students' | 'staff') =>
  async (scope: ProgramScope, rows: readonly ReadRow[], mapping: ColumnMapping): Promise<Plan> => {
    const existing = await store.listExisting(scope)
    const taken = await listTakenUserNames(scope.db, namesToAsk(rows))
    const directory = await listDirectoryNames(scope.db, scope.programId)
    const said = await listDirectories(scope.db, scope.programId)
    return planPeople(kind, rows, existing, mapping, {
      taken,
      directory,
      said,
      ownLevel: scope.ownLevel,
      ownId: scope.ownId,
    })
  }

export const studentImport: ImportDefinition = {
  store,
  async listChoices({ db, programId }: ProgramScope) {
    return {
      Area: await listAreaChoices(db, programId),
      StudentLevel: await listLevelChoices(db, programId),
    }
  },
  plan: planOf('students'),
}

export const staffImport: ImportDefinition = {
  store,
  async listChoices({ db, programId, ownLevel }: ProgramScope) {
    return { Area: await listAreaChoices(db, programId), Role: roleChoices(ownLevel) }
  },
  plan: planOf('staff'),
}
