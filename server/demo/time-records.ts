import { addDays } from '#contract/core/calendar.ts'
import { type Doubt, insightOf } from '#contract/time/insight.ts'
import { instantOf, minutesLater, mondayOf } from './calendar.ts'
import type { Duty, MadeSite, MadeStudent, Maker, ProgramPlan } from './maker.ts'

const minutesBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000))

/** A time record as it is written: of the server, clean and pending unless `row` says otherwise. */
const timeRecord = (
  row: Record<
    'program_id' | 'student_id' | 'site_id' | 'kind' | 'occurred_at' | 'date' | 'rotation_id',
    unknown
  > &
    Record<string, unknown>,
): Record<string, unknown> => ({
  ends_at: null,
  received_at: row.occurred_at,
  source: 'server',
  assignment_id: null,
  partner_id: null,
  minutes: 0,
  status: 'pending',
  insight: 1,
  reasons: [],
  latitude: null,
  longitude: null,
  accuracy_m: null,
  distance_m: null,
  is_inside: null,
  address: null,
  network_name: null,
  shift_type: null,
  offset_minutes: null,
  reason: '',
  change_to: null,
  change_reason: null,
  change_status: null,
  decided_at: null,
  decided_by: null,
  decision_reason: null,
  mailed_at: null,
  history: [],
  created_at: row.occurred_at,
  updated_at: row.occurred_at,
  ...row,
})

/** A time change that a student asked for. */
interface TimeRequest {
  student: MadeStudent
  date: string
  reason: string
}

/** What students ask to change about a clock-in and a clock-out: the minutes and why. */
const wishes: Record<'in' | 'out', readonly [minutes: number, reason: string][]> = {
  in: [
    [-30, 'Orientation began before the shift'],
    [-10, 'No signal in the basement, clocked in upstairs'],
    [-15, 'Helped the night shift finish a trauma series'],
  ],
  out: [
    [25, 'Stayed until the last patient was done'],
    [-20, 'Let go early: no more patients'],
    [15, 'Forgot to clock out, left with my supervisor'],
  ],
}

/** True at the same one of every so many times it is asked: the demo has some of a kind on any day, whatever chance gives. */
const oneIn = (every: number, at: number): (() => boolean) => {
  let count = 0
  return () => ++count % every === at
}

/**
 * What came of each shift that has begun: mostly a pair of punches, sometimes an absence, reported hours, a forgotten
 * clock-out or nothing. Older than nine days, all is decided.
 *
 * @returns the time changes that wait for an answer
 */
export const makePunches = async (
  maker: Maker,
  plan: ProgramPlan,
  duties: Duty[],
  coordinator: number,
  rotationOf: (date: string) => number | null,
): Promise<TimeRequest[]> => {
  const { random, today } = maker
  const recent = addDays(today, -9)
  const asked: TimeRequest[] = []
  const isTurnToReport = oneIn(15, 4)
  const isTurnToAsk = oneIn(21, 8)
  const isTurnToForget = oneIn(24, 9)
  for (const duty of duties) {
    const { shift, student, date } = duty
    if (date > today || Date.parse(duty.startsAt) > maker.now - 10 * 60_000) continue
    const isToday = date === today
    const isRecent = date >= recent
    const common = { program_id: plan.id, student_id: student.id, date, rotation_id: rotationOf(date) }
    const row = (kind: string, occurredAt: string, more: Record<string, unknown>) =>
      timeRecord({
        ...common,
        site_id: shift.site.id,
        kind,
        occurred_at: occurredAt,
        assignment_id: duty.id,
        shift_type: shift.type,
        offset_minutes: 0,
        ...more,
      })
    const fate = random.next()
    if (!isToday && fate < 0.02) {
      const reportedAt = minutesLater(duty.startsAt, -40)
      await maker.add(
        'time_record',
        row('absence', duty.startsAt, {
          source: 'self',
          ends_at: duty.endsAt,
          minutes: minutesBetween(duty.startsAt, duty.endsAt),
          reason: 'Fever since the night',
          received_at: reportedAt,
          insight: 3,
          reasons: [{ Code: 'self_reported' }],
          status: isRecent ? 'pending' : 'approved',
          ...(!isRecent && { decided_at: minutesLater(duty.endsAt, 600), decided_by: coordinator }),
        }),
      )
      continue
    }
    if (fate < 0.03) continue
    const decided = !isRecent || (!isToday && random.chance(0.35))
    const isRejected = decided && random.chance(0.01)
    const verdict = decided
      ? {
          status: isRejected ? 'rejected' : 'approved',
          decided_at: minutesLater(duty.endsAt, 700),
          decided_by: coordinator,
          ...(isRejected && { decision_reason: 'Left without telling the instructor' }),
        }
      : {}
    const isReported = !isToday && !decided && plan.suffix !== undefined && isTurnToReport()
    if (isReported || (!isToday && fate < 0.05)) {
      await maker.add(
        'time_record',
        row('exception', duty.startsAt, {
          source: 'self',
          ends_at: duty.endsAt,
          minutes: minutesBetween(duty.startsAt, duty.endsAt),
          reason: 'Phone battery died',
          insight: 3,
          reasons: [{ Code: 'self_reported' }],
          ...verdict,
        }),
      )
      continue
    }
    const punch = (kind: 'in' | 'out', planned: string) => {
      const doubts: Doubt[] = []
      const chance = random.next()
      const isRequest = !decided && plan.suffix !== undefined && isTurnToAsk()
      const draw = isRequest ? 0.045 : chance
      let offset = random.int(-9, 6)
      let distance = random.int(2, 90)
      let accuracy = random.int(5, 30)
      let network: string | null = random.chance(0.55) ? shift.site.network : null
      let source = 'server'
      const change: Record<string, unknown> = {}
      if (draw < 0.02) {
        distance = random.int(2500, 9000)
        network = null
        doubts.push({ Code: 'far_away', Value: distance })
      } else if (draw < 0.03) {
        source = 'offline'
        doubts.push({ Code: 'offline' })
      } else if (draw < 0.036) doubts.push({ Code: 'clock_off', Value: random.int(12, 40) })
      else if (draw < 0.042) doubts.push({ Code: 'impossible_travel', Value: random.int(180, 600) })
      else if (draw < 0.05) {
        doubts.push({ Code: 'change_asked' })
        const [minutes, reason] = wishes[kind][duty.id % wishes[kind].length]!
        change.change_to = minutesLater(planned, minutes)
        change.change_reason = reason
        change.change_status = decided ? 'accepted' : 'asked'
        if (!decided) asked.push({ student, date, reason })
      } else if (draw < 0.09) {
        offset = random.int(18, 45)
        doubts.push({ Code: 'outside_tolerance', Value: offset })
      } else if (draw < 0.11) {
        accuracy = random.int(220, 600)
        doubts.push({ Code: 'poor_accuracy', Value: accuracy })
      } else if (draw < 0.13) {
        distance = random.int(170, 420)
        network = null
        doubts.push({ Code: 'unknown_network', Value: distance })
      }
      const at = minutesLater(planned, offset)
      const scale = distance / 111_000
      return {
        at,
        values: {
          source,
          insight: insightOf(doubts),
          reasons: doubts,
          offset_minutes: offset,
          distance_m: distance,
          accuracy_m: accuracy,
          is_inside: distance <= 150,
          latitude: Number((shift.site.latitude + scale).toFixed(4)),
          longitude: shift.site.longitude,
          network_name: network,
          address: '198.51.100.7',
          ...change,
          ...verdict,
        },
      }
    }
    const arrival = punch('in', duty.startsAt)
    const isOpen = Date.parse(duty.endsAt) > maker.now
    const isForgotten = random.chance(0.03)
    const isUnmatched =
      !isOpen && !decided && (isForgotten || (plan.suffix !== undefined && isTurnToForget()))
    if (isOpen || isUnmatched) {
      await maker.add('time_record', row('in', arrival.at, arrival.values))
      continue
    }
    const leaving = punch('out', duty.endsAt)
    const inId = maker.nextId('time_record')
    await maker.add('time_record', row('in', arrival.at, { ...arrival.values, partner_id: inId + 1 }))
    await maker.add(
      'time_record',
      row('out', leaving.at, {
        ...leaving.values,
        // A night ends on the day after the one it began on.
        date: leaving.at >= instantOf(addDays(date, 1), '00:00', plan.timeZone) ? addDays(date, 1) : date,
        partner_id: inId,
        minutes: minutesBetween(arrival.at, leaving.at),
      }),
    )
  }
  return asked
}

/** What a graduate keeps: a rotation of last year with its hours at two sites. */
export const makeGraduate = async (
  maker: Maker,
  plan: ProgramPlan,
  { graduate, coordinator }: { graduate: number; coordinator: number },
  sites: readonly MadeSite[],
): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  const start = addDays(mondayOf(maker.today), -60 * 7)
  const days = 42
  const rotation = await maker.add('rotation', {
    program_id: plan.id,
    name: `Clinical practice, ${start.slice(0, 4)}`,
    start_date: start,
    end_date: addDays(start, days * 2),
    target_minutes: days * 8 * 60,
    cohorts: [],
    notes: '',
    created_at: stamp,
    updated_at: stamp,
  })
  for (let n = 0; n < days; n++) {
    const date = addDays(start, n * 2)
    const begin = `${date}T12:00:00.000Z`
    const minutes = 8 * 60 + (n % 3) * 10
    await maker.add(
      'time_record',
      timeRecord({
        program_id: plan.id,
        student_id: graduate,
        site_id: sites[n < days / 2 ? 0 : 1 % sites.length]!.id,
        kind: 'exception',
        occurred_at: begin,
        date,
        ends_at: minutesLater(begin, minutes),
        source: 'import',
        rotation_id: rotation,
        minutes,
        status: 'approved',
        decided_at: minutesLater(begin, minutes + 600),
        decided_by: coordinator,
      }),
    )
  }
}
