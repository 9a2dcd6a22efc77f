import { createInterface } from 'node:readline'
import { createClient, PracticumError } from '../practicum.ts'
import { setting } from '../setting.ts'

/*
 * A clock at the door of a lab: a reader types the student ID of a badge and Enter. The first badge of a day clocks in, the next one
 * out. Its key needs the rights people.read, time.read and time.edit, and should be bound to the address of the kiosk.
 */
const { call } = createClient({ url: setting('PRACTICUM_URL'), key: setting('PRACTICUM_KEY') })
const programId = Number(setting('PRACTICUM_PROGRAM'))
const SiteId = Number(setting('KIOSK_SITE'))
const timeZone = setting('KIOSK_TIME_ZONE')
const studentLevel = 39

/** The day and the time at the kiosk's wall. */
const wallClock = (): { Date: string; Time: string } => {
  const text = new Date().toLocaleString('sv-SE', { timeZone })
  return { Date: text.slice(0, 10), Time: text.slice(11, 16) }
}

const findStudent = async (badge: string) => {
  const { Items } = await call('searchUsers', {
    path: { programId },
    query: { search: badge, AccessLevels: [studentLevel] },
  })
  return Items.find(({ StudentNumber }) => StudentNumber === badge)
}

const punch = async (badge: string): Promise<string> => {
  const student = await findStudent(badge)
  if (!student) return `${badge}: unknown badge`
  const now = wallClock()
  const { Items } = await call('listTimeRecords', {
    path: { programId },
    query: { StudentId: student.Id, FromDate: now.Date, ThroughDate: now.Date },
  })
  // The newest comes first.
  const last = Items.find(({ Type }) => Type === 'in' || Type === 'out')
  const isOut = last?.Type === 'in'
  await call('addTimeRecord', {
    path: { programId },
    body: {
      ...now,
      StudentId: student.Id,
      SiteId,
      Kind: isOut ? 'out' : 'in',
      ...(isOut && { PartnerId: last.Id }),
      Reason: 'Kiosk',
    },
  })
  return `${badge}: clocked ${isOut ? 'out' : 'in'}`
}

for await (const badge of createInterface({ input: process.stdin })) {
  if (badge.trim() === '') continue
  try {
    console.log(await punch(badge.trim()))
  } catch (error) {
    if (!(error instanceof PracticumError)) throw error
    console.log(`${badge}: ${error.message}`)
  }
}
