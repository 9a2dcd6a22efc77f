import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#server/test/database.ts'
import { withoutIndexes } from './bulk-load.ts'

const tables = ['time_record', 'shift_assignment']

const definitionsOf = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = any ($1::regclass[])
    union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where conrelid = any ($1::regclass[])
    order by 1`,
    [tables],
  )
  return rows.map(({ text }) => text)
}

test('indexes and foreign keys that were away are the same afterwards, and what keeps rows apart was never away', async () => {
  const database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  try {
    const before = await definitionsOf(client)
    const addIndexes = await withoutIndexes(client, tables)
    const between = await definitionsOf(client)
    expect(between.length).toBeLessThan(before.length)
    expect(between.filter((text) => /UNIQUE|EXCLUDE|PRIMARY/.test(text))).toEqual(
      before.filter((text) => /UNIQUE|EXCLUDE|PRIMARY/.test(text)),
    )
    expect(between.filter((text) => text.includes('FOREIGN KEY'))).toEqual([])
    await addIndexes()
    expect(await definitionsOf(client)).toEqual(before)
  } finally {
    await client.end()
    await database.drop()
  }
})
