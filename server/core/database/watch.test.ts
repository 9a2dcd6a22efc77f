import { stat } from 'node:fs/promises'
import pino from 'pino'
import { expect, test } from 'vitest'
import { work } from '#server/test/busy.ts'
import { createTestDatabase } from '#server/test/database.ts'
import { createPool } from './pool.ts'

/** Looks at what has arrived between the turns, and at nothing else. */
const workInTurns = async (turns: number, ms: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) {
    work(ms)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

test('a process that is busy for seconds does not take its own silence for that of the database', async () => {
  const database = await createTestDatabase()
  const said: string[] = []
  const pool = createPool(database.appUrl, pino({}, { write: (line) => void said.push(line) }), 1)
  try {
    const client = await pool.connect()
    await client.query('select')
    await workInTurns(2, 260)
    await stat('.')
    // The next look at the connections is due when this begins, and follows it before their sockets are read.
    const asked = stat('.').then(() => {
      const answer = client.query('select').catch((error: Error) => error.message)
      work(500)
      return answer
    })
    await workInTurns(2, 260)
    await workInTurns(2, 1_600)
    expect(await asked).toMatchObject({ rowCount: 1 })
    // What it thinks of the database is told by then.
    await client.query('select pg_sleep(0.5)')
    client.release()
    expect(said).toEqual([])
  } finally {
    await pool.end()
    await database.drop()
  }
})
