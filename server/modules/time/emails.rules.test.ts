import { expect, test } from 'vitest'
import { missedValues, unmatchedValues } from './emails.rules.ts'

const address = 'https://practicum.example'
const sites = (areNamed: boolean) => ({ isOn: (name: string) => name === 'NameSites' && areNamed })

test('the email about open punches lists each with the half that it lacks, and its site where the program names sites', () => {
  const values = unmatchedValues(
    {
      FirstName: 'Amara',
      Records: [
        { Kind: 'in', Date: '2026-11-19', Time: '07:02', Site: 'Harbor <General>' },
        { Kind: 'out', Date: '2026-11-20', Time: '15:31', Site: null },
      ],
    },
    address,
  )
  expect(values(sites(true))).toEqual({
    'student.firstName': 'Amara',
    'record.count': '2',
    'record.list': {
      html: '<ul><li>11/19/2026 07:02, Harbor &lt;General&gt;: no clock-out</li><li>11/20/2026 15:31: no clock-in</li></ul>',
    },
    link: 'https://practicum.example/new/clock',
  })
  expect(values(sites(false))['record.list'].html).toBe(
    '<ul><li>11/19/2026 07:02: no clock-out</li><li>11/20/2026 15:31: no clock-in</li></ul>',
  )
})

test('the email about missed shifts lists them, with their sites where the program names sites', () => {
  const values = missedValues(
    { FirstName: 'Amara', Shifts: [{ Date: '2026-11-19', StartTime: '07:00', Site: 'Harbor General' }] },
    address,
  )
  expect(values(sites(true))).toEqual({
    'student.firstName': 'Amara',
    'shift.count': '1',
    'shift.list': { html: '<ul><li>11/19/2026 07:00, Harbor General</li></ul>' },
    link: 'https://practicum.example/new/clock',
  })
  expect(values(sites(false))['shift.list'].html).toBe('<ul><li>11/19/2026 07:00</li></ul>')
})
