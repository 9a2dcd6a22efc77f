import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, DatabaseError } from 'pg'

/**
 * The baseline is the database of 1.0. Each domain has its tables, indexes, rules and triggers in `schema.sql` and its functions in
 * `functions.sql`. Files may refer to each other in any order; this module works out what to create first.
 */

/** Errors of a function whose types a later migration creates. */
const isUndefined = new Set(['42704', '42P01', '42883'])

/** The last migration before the baseline, if this file declares the baseline. */
export const adoptedBy = (sql: string): string | undefined => /^-- adopts (\d{4}-[a-z0-9-]+)$/m.exec(sql)?.[1]

/** What the files of every other domain call comes first. */
const first = 'database'

/** The files of this name in the folders of all domains, by the path of the domain: `modules/sites/schema`. */
export function domainFiles(server: string, file: 'schema.sql' | 'functions.sql') {
  return ['core', 'modules'].flatMap((side) =>
    (existsSync(join(server, side)) ? readdirSync(join(server, side)) : [])
      .sort((a, b) => Number(b === first) - Number(a === first) || (a < b ? -1 : 1))
      .map((domain) => ({
        name: `${side}/${domain}/${file.slice(0, -'.sql'.length)}`,
        path: join(server, side, domain, file),
      }))
      .filter(({ path }) => existsSync(path)),
  )
}

/** Reads a file with line ends unified, because git may change them. */
export const readText = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

/** The tables of all domains as one text, in the order of their folders. */
export const readSchema = (server: string): string =>
  domainFiles(server, 'schema.sql')
    .map(({ path }) => readText(path))
    .join('\n')

const before = /^create (?:extension|collation|schema|type)\b[^;]*;$/gm
const table = /^create table (\w+) \([\s\S]*?^\)[^;]*;$/gm

/**
 * Splits the schema in three: what tables need, the tables, each after those it references, and what needs functions.
 *
 * @throws Error when tables refer to each other in a circle: one of them adds its foreign key by `alter table`
 */
export function inOrder(schema: string): { before: string; tables: string; after: string } {
  const tables = new Map([...schema.matchAll(table)].map(([sql, name = '']) => [name, sql]))
  const ordered = new Set<string>()
  const add = (name: string, path: readonly string[]): void => {
    const sql = tables.get(name)
    if (ordered.has(name) || sql === undefined) return
    if (path.includes(name))
      throw new Error(`These tables refer to each other: ${[...path, name].join(', ')}.`)
    for (const [, other = ''] of sql.matchAll(/\breferences (\w+)/g))
      if (other !== name) add(other, [...path, name])
    ordered.add(name)
  }
  for (const name of tables.keys()) add(name, [])
  return {
    before: [...schema.matchAll(before)].map(([sql]) => sql).join('\n'),
    tables: [...ordered].map((name) => tables.get(name)).join('\n'),
    after: schema.replace(table, '').replace(before, ''),
  }
}

/** A file of functions as statements: each begins at the first column after an empty line. */
export const statementsOf = (sql: string): string[] => sql.split(/\n\n(?=\S)/)

/**
 * Creates the tables and functions of all domains in the client's current transaction. Functions that depend on later migrations are
 * left out.
 *
 * @returns the files whose functions were all created
 */
export async function makeBaseline<File extends { sql: string }>(
  client: Client,
  schema: string,
  functions: readonly File[],
): Promise<File[]> {
  const { before, tables, after } = inOrder(schema)
  await client.query('set local check_function_bodies = off')
  await ask(client, `${before}\n${tables}`)
  const whole: File[] = []
  for (const file of functions) {
    let isWhole = true
    for (const sql of statementsOf(file.sql)) {
      try {
        await client.query(`savepoint one; ${sql}\n; release one`)
      } catch (error) {
        if (!isUndefined.has((error as DatabaseError).code ?? '')) throw error
        await client.query('rollback to one')
        isWhole = false
      }
    }
    if (isWhole) whole.push(file)
  }
  await ask(client, after)
  return whole
}

/** Runs part of the schema; an error names the first line of the statement that failed. */
async function ask(client: Client, sql: string): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    const { message, position } = error as DatabaseError
    if (position === undefined) throw new Error(message)
    const begun = sql
      .slice(0, Number(position))
      .split(/\n(?=[a-z])/)
      .at(-1)!
    throw new Error(`${message}, at “${begun.split('\n')[0]}”`)
  }
}
