import { expect, test } from 'vitest'
import { logTo } from './jobs.ts'
import { plainError } from './log.ts'

test('A62 C6 what the queue says is a line of the one log, without what an error quotes', () => {
  const lines: unknown[] = []
  const note = (level: string) => (about: object, message: string) => lines.push([level, about, message])
  const log = { error: note('error'), warn: note('warn'), debug: note('debug'), trace: note('trace') }
  const say = logTo(log as never)({ label: 'job', taskIdentifier: 'mail' })
  say('info' as never, 'Worker connected', {})
  const error = new Error('broken')
  say('error' as never, 'Failed task 1 with payload zzqx', { error })
  expect(lines).toEqual([
    ['debug', { job: 'mail' }, 'Worker connected'],
    ['error', { job: 'mail', err: error }, 'A job failed'],
  ])
  expect(plainError(error as never)).toMatchObject({ type: 'Error', message: 'broken' })
})
