import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from './database.ts'

test('every test database is a migrated one of its own', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
  const first = new Client({ connectionString: one.ownerUrl })
  const second = new Client({ connectionString: two.ownerUrl })
  await Promise.all([first.connect(), second.connect()])
  try {
    await first.query('create table only_here (id int)')
    const count = 'select count(*)::int as count from migration'
    expect((await first.query(count)).rows[0].count).toBeGreaterThan(0)
    expect((await second.query(count)).rows[0].count).toBeGreaterThan(0)
    await expect(second.query('select from only_here')).rejects.toThrow(/does not exist/)
  } finally {
    await Promise.all([first.end(), second.end()])
    await Promise.all([one.drop(), two.drop()])
  }
})

test('a dropped database is gone although a connection was left open', async () => {
  const database = await createTestDatabase()
  const forgotten = new Client({ connectionString: database.appUrl })
  forgotten.on('error', () => {})
  await forgotten.connect()
  await database.drop()
  const late = new Client({ connectionString: database.appUrl })
  await expect(late.connect()).rejects.toThrow(/does not exist/)
})

test('the app may add to the audit and read it, and can neither change nor delete it', async () => {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.appUrl })
  await client.connect()
  try {
    await client.query('select from audit')
    for (const statement of ['delete from audit', 'update audit set program_id = null', 'truncate audit']) {
      await expect(client.query(statement)).rejects.toThrow(/permission denied/)
    }
    await expect(client.query('create table mine (id int)')).rejects.toThrow(/permission denied/)
    await expect(client.query("insert into migration values (9999, 'x', 'x', now(), 1)")).rejects.toThrow(
      /permission denied/,
    )
  } finally {
    await client.end()
    await database.drop()
  }
})
