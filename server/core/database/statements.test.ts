import fc from 'fast-check'
import { expect, test } from 'vitest'
import { statementName, watchSlowStatements } from './statements.ts'

test('a statement is named by what it does to which table first', () => {
  const name = (text: string) => statementName(text).replace(/ [0-9a-f]{6}$/, '')
  expect(name('select "a"."id" from "area" as "a" where "a"."program_id" = $1')).toBe('select area')
  expect(name('insert into mail (id) values ($1)')).toBe('insert mail')
  expect(name('update "time_record" set status = $1')).toBe('update time_record')
  expect(name('delete from session where id = $1')).toBe('delete session')
  expect(name('with x as (select 1 from site) select * from x')).toBe('select site')
  expect(name('vacuum')).toBe('other')
})

test('another text has another name', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      fc.pre(one !== other)
      expect(statementName(`select ${one} from t`)).not.toBe(statementName(`select ${other} from t`))
    }),
    { numRuns: 50 },
  )
})

test('only what took longer than 250 ms is counted, and each text logged once a minute', () => {
  const counted: string[] = []
  const logged: string[] = []
  const log = { info: () => {}, warn: (text: string) => void logged.push(text), error: () => {} }
  const watch = watchSlowStatements(log, (name) => void counted.push(name))
  watch.ended('select 1 from area', 249)
  watch.ended('select 1 from area', 251)
  watch.ended('select 1 from area', 900)
  watch.ended('select 2 from site', 300)
  expect(counted.map((name) => name.split(' ')[1])).toEqual(['area', 'area', 'site'])
  expect(logged).toEqual([
    expect.stringMatching(/^Slow statement select area [0-9a-f]{6}: 251 ms: select 1 from area$/),
    expect.stringMatching(/^Slow statement select site [0-9a-f]{6}: 300 ms: select 2 from site$/),
  ])
})
