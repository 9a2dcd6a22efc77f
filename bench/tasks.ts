import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { addDays, weekOf } from '#contract/core/calendar.ts'
import { keepSignIns } from '#server/core/auth/sign-in-days.ts'
import { createPool, transaction } from '#server/core/database/pool.ts'
import { createLog } from '#server/core/runtime/log.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { makeDueEvaluations } from '#server/modules/evaluations/making.commands.ts'
import { countProgress } from '#server/modules/progress/progress.commands.ts'
import { saveAttendance } from '#server/modules/time/attendance.commands.ts'
import { keepRotations } from '#server/modules/time/kept.commands.ts'
import type { Installation, SignedIn } from './installation.ts'
import { median, send } from './load.ts'
import type { Figure } from './table.ts'

/**
 * Counts anew what is kept as of a moment, as the worker does every minute: other
 * parts of the bench record in seconds what a program does not in a day. The database cleans up after itself within a minute, too.
 */
export const workOffChanges = async (at: Installation, programId: number): Promise<void> => {
  const pool = createPool(at.appUrl, createLog('fatal'), 2)
  try {
    const { rows: programs } = await at.owner.query('select time_zone from program where id = $1', [
      programId,
    ])
    const today = todayIn(programs[0].time_zone)
    for (let kept = -1, before = -2; kept > before; ) {
      before = kept
      await transaction(pool, { accountId: null, programIds: [programId] }, (db) =>
        saveAttendance(db, programId, today),
      )
      const { rows } = await at.owner.query(
        'select count(*)::integer as kept from attendance_day where program_id = $1',
        [programId],
      )
      kept = rows[0].kept
    }
    await pool.query('select move_plan_until($1)', [programId])
    await transaction(pool, { accountId: null, programIds: [programId] }, (db) =>
      keepRotations(db, programId),
    )
    await transaction(pool, { accountId: null, programIds: [programId] }, (db) =>
      countProgress(db, programId, today),
    )
  } finally {
    await pool.end()
  }
  await at.owner.query(
    `vacuum analyze attendance_day, domain_event, time_record, shift_assignment, time_sum, student_hours,
      rotation_student, shift_kept, evaluation_sum`,
  )
}

/** What the worker would have kept by now: the bench runs the role `web` alone. Two weeks of sign-ins come with it. */
export const keepSums = async (at: Installation, programId: number): Promise<void> => {
  await at.owner.query(
    `insert into session (token_hash, csrf_token, account_id, expires_at, created_at, last_seen_at, ended_at)
    select sha256(convert_to(a.id || ' ' || n, 'UTF8')), 'x', a.id, m.moment, m.moment, m.moment, m.moment
    from account a cross join generate_series(1, 7) n
    cross join lateral (select now() - (n * 2 - 1) * interval '1 day' + (a.id % 600) * interval '1 minute' as moment) m
    where a.program_id is not null and a.deleted_at is null and m.moment < now()`,
  )
  await keepSignIns(at.owner)
  await at.owner.query('vacuum analyze session, account_seen, sign_in_day')
  await workOffChanges(at, programId)
}

const rounds = 5

/** The work of ours and of a statement written by hand in turns, each undone before the next; medians in milliseconds. */
const inTurns = async (
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  undo: () => Promise<unknown>,
): Promise<{ ours: number; bare: number; ratio: number }> => {
  const took = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round <= rounds; round++)
    for (const [name, work] of [['ours', ours] as const, ['bare', bare] as const]) {
      const began = performance.now()
      await work()
      // The first of each warms up.
      if (round > 0) took[name].push(performance.now() - began)
      await undo()
    }
  return {
    ours: median(took.ours),
    bare: median(took.bare),
    ratio: median(took.ours.map((each, index) => each / took.bare[index]!)),
  }
}

const asFigure = (
  what: string,
  { ours, bare, ratio }: { ours: number; bare: number; ratio: number },
  note: string,
): Figure => ({
  what: `${what}: time vs a hand-written statement`,
  value: ratio,
  text: `${ratio.toFixed(2)}×`,
  must: 3,
  stretch: 2,
  bar: '≤ 3× / ≤ 2×',
  note: `${Math.round(ours)} ms against ${Math.round(bare)} ms; ${note}`,
})

const insert = async (owner: pg.Pool, table: string, row: Record<string, unknown>): Promise<number> => {
  const names = Object.keys(row)
  const { rows } = await owner.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})
    returning id::integer`,
    names.map((name) => row[name]),
  )
  return rows[0].id
}

/** The job that makes evaluations by rule: one for every student of the program. */
export const makingFigure = async (at: Installation, programId: number): Promise<Figure> => {
  const { owner } = at
  const own = { program_id: programId }
  await owner.query('update evaluation_template set is_automatic = false where program_id = $1', [programId])
  const { rows: days } = await owner.query(
    'select (now() at time zone time_zone)::date as today from program where id = $1',
    [programId],
  )
  const template = await insert(owner, 'evaluation_template', {
    ...own,
    title: 'Bench',
    evaluator_role: 'student',
    subject_role: 'program',
    is_automatic: true,
    make_on: 'fixed',
    make_each: 'student',
    make_date: days[0].today,
    automatic_from: days[0].today,
    due_rule: 'after_shift',
    due_days: 7,
  })
  const category = await insert(owner, 'evaluation_category', {
    ...own,
    template_id: template,
    name: 'Bench',
    position: 1,
  })
  await insert(owner, 'evaluation_item', {
    ...own,
    template_id: template,
    category_id: category,
    kind: 'fib',
    input_type: 'short',
    text: 'Bench',
    position: 1,
  })
  const pool = createPool(at.appUrl, createLog('fatal'), 2)
  let made = 0
  try {
    const result = await inTurns(
      async () => {
        made = (
          await transaction(pool, { accountId: null, programIds: [programId] }, (db) =>
            makeDueEvaluations(db, programId),
          )
        ).made
      },
      () =>
        owner.query(
          `with made as (
            insert into evaluation (program_id, template_id, occasion, evaluator_id, student_id, date, end_date)
              select $1, $2, 'date:' || $3::date, id, id, $3, $3::date + 7 from account
              where program_id = $1 and access_level = 39 and deleted_at is null and deactivated_at is null
            returning evaluator_id)
          insert into notification (program_id, account_id, kind, text, link)
            select $1, evaluator_id, 'evaluation_new', '1 new evaluation to complete', '/new/evaluate' from made`,
          [programId, template, days[0].today],
        ),
      async () => {
        await owner.query('delete from evaluation where program_id = $1 and template_id = $2', [
          programId,
          template,
        ])
        await owner.query("delete from notification where program_id = $1 and kind = 'evaluation_new'", [
          programId,
        ])
        await owner.query(
          'update evaluation_template set made_through = null where program_id = $1 and id = $2',
          [programId, template],
        )
        await owner.query('vacuum evaluation, notification')
      },
    )
    return asFigure(
      `i ${made.toLocaleString('en-US')} evaluations made by rule`,
      result,
      'with the notices of everybody who fills one',
    )
  } finally {
    await pool.end()
  }
}

/** A cohort over six shifts for three months: what a series would place, and placing it. */
export const seriesFigures = async (at: Installation, staff: SignedIn): Promise<Figure[]> => {
  const { owner } = at
  const program = staff.programId
  const own = { program_id: program }
  const start = weekOf(addDays(new Date().toISOString().slice(0, 10), 500))
  const end = addDays(start, 13 * 7 - 1)
  const rotation = await insert(owner, 'rotation', {
    ...own,
    name: 'Bench',
    start_date: start,
    end_date: end,
    target_minutes: 600,
  })
  const { rows: sites } = await owner.query(
    'select id::integer from site where program_id = $1 and deleted_at is null and is_active order by id limit 6',
    [program],
  )
  const shifts: number[] = []
  for (const { id } of sites) {
    await insert(owner, 'affiliate_agreement', {
      ...own,
      site_id: id,
      initial_date: '2020-01-01',
      termination_date: addDays(end, 365),
      is_active: true,
      is_approved: true,
    })
    shifts.push(
      await insert(owner, 'site_shift', {
        ...own,
        site_id: id,
        code: `BENCH${id}`,
        name: 'Bench',
        type: 'day',
        weekdays: [0, 1, 2, 3, 4, 5, 6],
        start_time: '07:00',
        end_time: '15:00',
        capacity: 60,
        start_date: start,
        end_date: end,
      }),
    )
  }
  // Everything that keeps students out is in order until then, and looked at all the same.
  await owner.query(
    `insert into student_requirement (program_id, student_id, requirement_id, status, expires_on)
    select $1, a.id, q.id, 'accepted', $2 from requirement q join account a on a.program_id = $1 and a.access_level = 39
    where q.program_id = $1 and q.blocks_placement
    on conflict (program_id, student_id, requirement_id, site_id) do update set status = 'accepted', expires_on = $2`,
    [program, addDays(end, 365)],
  )
  // The series lies so far ahead that every proof would be too old for a site that asks for a new one.
  await owner.query('update site_requirement set max_age_days = null where program_id = $1', [program])
  const { rows: people } = await owner.query(
    `select id::integer from account where program_id = $1 and access_level = 39 and deleted_at is null
      and deactivated_at is null order by id limit 300`,
    [program],
  )
  const students = people.map(({ id }) => id)
  const input = {
    RotationId: rotation,
    StudentIds: students,
    SiteShiftIds: shifts,
    StartDate: start,
    EndDate: end,
    Weekdays: [1, 2, 3, 4, 5],
    RotateEvery: 2,
  }
  const ask = async (path: string): Promise<number> => {
    const answer = await send(at.ours.origin, {
      method: 'POST',
      path: `/new/api/programs/${program}/shift-assignments/series${path}`,
      headers: staff.headers,
      body: JSON.stringify(input),
    })
    const { Added, Conflicts, Dates } = JSON.parse(answer) as {
      Added: number
      Conflicts: unknown[]
      Dates: unknown[]
    }
    if (Added !== students.length * Dates.length)
      throw new Error(`A series placed ${Added}: ${JSON.stringify(Conflicts).slice(0, 500)}`)
    return Added
  }
  let added = 0
  // A group of fifty a shift, which goes on to the next shift every second week; weekends and days off are left out.
  const wished = `select s.id as student, h.id as shift, h.site_id, d::date as date, d::date + h.start_time as begins, d::date + h.end_time as ends,
      t.time_zone as zone, h.capacity
    from unnest($2::bigint[]) with ordinality s (id, place)
    cross join generate_series($4::date::timestamp, $5::date::timestamp, interval '1 day') d
    join site_shift h on h.program_id = $1
      and h.id = ($3::bigint[])[1 + ((s.place - 1) / 50 + (d::date - $4::date) / 14)::int % 6]
    join site t on t.program_id = h.program_id and t.id = h.site_id
    where extract(isodow from d) < 6 and not exists (select from day_off o where o.program_id = $1 and d::date between o.start_date and o.end_date)`
  const values = [program, students, shifts, start, end]
  const check = await inTurns(
    async () => {
      added = await ask('/checks')
    },
    () =>
      owner.query(
        `with w as (${wished})
        select w.student, w.shift, w.date from w
        left join shift_day n on n.program_id = $1 and n.site_shift_id = w.shift and n.date = w.date
        where coalesce(n.placed, 0) < w.capacity and not exists (select from shift_assignment a where a.program_id = $1
          and a.student_id = w.student and a.removed_at is null and a.date between w.date - 1 and w.date + 1
          and a.starts_at < w.ends at time zone w.zone and a.ends_at > w.begins at time zone w.zone)`,
        values,
      ),
    async () => {},
  )
  const undo = async () => {
    const added = [program, rotation]
    // Marked first, so that no sum holds them.
    await owner.query(
      'update shift_assignment set removed_at = now() where program_id = $1 and rotation_id = $2',
      added,
    )
    await owner.query('delete from shift_assignment where program_id = $1 and rotation_id = $2', added)
    await owner.query('delete from shift_day where program_id = $1 and site_shift_id = any ($2)', [
      program,
      shifts,
    ])
    await owner.query('vacuum shift_assignment, shift_day')
  }
  // Nobody ever deletes a shift that a procedure was logged on, so that the product keeps no index for it.
  await owner.query(
    'create index series_undone on procedure_log (program_id, assignment_id) where assignment_id is not null',
  )
  const add = await inTurns(
    () => ask(''),
    () =>
      owner.query(
        `insert into shift_assignment (program_id, rotation_id, site_shift_id, site_id, student_id, date, starts_at, ends_at)
        select $1, $6, w.shift, w.site_id, w.student, w.date, w.begins at time zone w.zone, w.ends at time zone w.zone
        from (${wished}) w returning id`,
        [...values, rotation],
      ),
    undo,
  )
  await owner.query('drop index series_undone')
  const size = `${added.toLocaleString('en-US')} shifts of ${students.length} students`
  return [
    asFigure(
      `j term series of ${size}: check`,
      check,
      'with every rule of placing; no statement checks agreements or requirements',
    ),
    asFigure(
      'j term series: add',
      add,
      'counters, overlaps and capacity are the database’s own on both sides',
    ),
  ]
}

/** One email to every student of the program, as the page sends it, until it is answered for each. */
export const emailFigure = async (at: Installation, staff: SignedIn): Promise<Figure> => {
  const { owner } = at
  const { rows } = await owner.query('select email from account where id = $1', [staff.accountId])
  let told = 0
  const took = await inTurns(
    async () => {
      told = (
        JSON.parse(
          await send(at.ours.origin, {
            method: 'POST',
            path: '/new/api/emails',
            headers: staff.headers,
            body: JSON.stringify({
              sender: rows[0].email,
              subject: 'Bench',
              body: Buffer.from('<p>Your hours of this week are approved.</p>'.repeat(20)).toString('base64'),
              programIds: [staff.programId],
              userTypes: [5],
            }),
          }),
        ) as unknown[]
      ).length
    },
    () =>
      owner.query(
        `insert into mail (program_id, account_id, label, recipient, sender, subject, html, created_by)
        select $1, id, 'MESSAGE_sent', first_name || ' ' || last_name || ' <' || email || '>', $2, 'Bench', $3, $4 from account
        where program_id = $1 and access_level = 39 and deleted_at is null and deactivated_at is null returning id, recipient`,
        [
          staff.programId,
          rows[0].email,
          '<p>Your hours of this week are approved.</p>'.repeat(20),
          staff.accountId,
        ],
      ),
    async () => {
      await owner.query("delete from mail where label = 'MESSAGE_sent' and subject = 'Bench'")
      await owner.query('vacuum mail')
      await sleep(0)
    },
  )
  const seconds = took.ours / 1000
  return {
    what: `k an email to ${told.toLocaleString('en-US')} students from the page, until the answer`,
    value: seconds,
    text: `${seconds.toFixed(2)} s`,
    must: 0.2,
    stretch: 0.2,
    bar: '≤ 0.2 s',
    note: `blocked addresses looked up and each told about; ${Math.round(took.bare)} ms for a hand-written insert`,
  }
}
