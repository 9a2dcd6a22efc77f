import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Calls, createClient } from '../practicum.ts'
import { setting } from '../setting.ts'

/*
 * A nightly export to a data warehouse: the people of a program and the clock records of a period, a line of JSON each, into
 * files that appear only when they are whole. Its key needs the rights people.read and time.read.
 */
const { call } = createClient({ url: setting('PRACTICUM_URL'), key: setting('PRACTICUM_KEY') })
const programId = Number(setting('PRACTICUM_PROGRAM'))
const folder = setting('EXPORT_FOLDER')
const FromDate = setting('EXPORT_FROM')
const pageSize = 500

const write = (name: string, rows: readonly object[]): void => {
  const file = join(folder, `${name}.ndjson`)
  writeFileSync(`${file}.part`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  renameSync(`${file}.part`, file)
  console.log(`${rows.length} rows in ${file}`)
}

type Person = Calls['searchUsers']['answer']['Items'][number]
const readPeople = async (): Promise<Person[]> => {
  const people: Person[] = []
  for (let page = 1; ; page++) {
    const { Items, Total } = await call('searchUsers', { path: { programId }, query: { page, pageSize } })
    people.push(...Items)
    if (Items.length === 0 || people.length >= (Total ?? 0)) return people
  }
}

type Clocked = Calls['listTimeRecords']['answer']['Items'][number]
/** Pages follow each other by a cursor, so that records which come meanwhile move none of them. */
const readRecords = async (): Promise<Clocked[]> => {
  const records: Clocked[] = []
  let cursor: string | undefined
  do {
    const { Items, NextCursor } = await call('listTimeRecords', {
      path: { programId },
      query: { FromDate, pageSize, ...(cursor !== undefined && { cursor }) },
    })
    records.push(...Items)
    cursor = NextCursor ?? undefined
  } while (cursor !== undefined)
  return records
}

mkdirSync(folder, { recursive: true })
write('people', await readPeople())
write('time-records', await readRecords())
