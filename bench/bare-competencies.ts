import { addDays, daysBetween } from '#contract/core/calendar.ts'
import { type Call, dayIn, type Query } from './bare-hours.ts'

interface Target {
  cohort: string | null
  from: string
  through: string
  exams: number
}

/** Exams that a cohort is expected to have passed by a day. */
const expectedOf = (targets: readonly Target[], cohort: string | null, today: string): number | null => {
  const begun = targets.filter(
    (target) => (target.cohort === null || target.cohort === cohort) && target.from <= today,
  )
  return begun.length === 0
    ? null
    : begun.reduce((sum, { from, through, exams }) => {
        const days = daysBetween(from, addDays(through, 1))
        return sum + (exams * Math.min(days, daysBetween(from, today) + 1)) / days
      }, 0)
}

// Called for addresses of a list only.
const placeOf = (url: URL): number => Number(/\/competency-lists\/(\d+)/.exec(url.pathname)![1])
const keyText = `select md5(string_agg(t.id::text, ',' order by t.id)) from skill t
  join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.deleted_at is null
  where t.program_id = $1 and m.list_id = $2 and t.deleted_at is null`

/** What both calls read first: the day, and what the list asks by when. */
const paceOf = async (query: Query, program: number, list: number) => {
  const [{ zone, targets, electives, key }] = await query(
    `select p.time_zone as zone, l.electives_needed as electives, (${keyText}) as key,
      coalesce((select json_agg(json_build_object('cohort', cohort, 'from', from_date, 'through', through_date, 'exams', exams))
        from competency_term_target where program_id = $1 and list_id = $2), '[]') as targets
    from program p join competency_list l on l.program_id = p.id and l.id = $2 where p.id = $1`,
    [program, list],
  )
  const today = dayIn(zone)
  const known = new Map<string | null, number | null>()
  const expected = (cohort: string | null): number | null => {
    if (!known.has(cohort)) known.set(cohort, expectedOf(targets, cohort, today))
    return known.get(cohort) ?? null
  }
  const isBehind = (passed: number, cohort: string | null): boolean =>
    passed < Math.ceil((expected(cohort) ?? 0) * 0.8 - 1e-9)
  return {
    electives: electives as number,
    key: key as string,
    hasTargets: targets.length > 0,
    expected,
    isBehind,
  }
}

const states: Readonly<Record<string, string>> = {
  n: 'not-begun',
  w: 'waiting',
  l: 'lab',
  r: 'ready',
  f: 'failed',
  s: 'simulated',
  p: 'passed',
}

/** The columns of the grid, and how many students have which state in each. */
export const gridHead =
  (query: Query): Call =>
  async (program, _account, url) => {
    const list = placeOf(url)
    const { electives, key, hasTargets, isBehind } = await paceOf(query, program, list)
    const [{ studies, procedures }] = await query(
      `select (select json_agg(json_build_object('Id', id, 'Name', name, 'IsPatientCare', is_patient_care,
            'ElectivesNeeded', electives_needed) order by position, id)
          from major_study where program_id = $1 and list_id = $2 and deleted_at is null) as studies,
        (select json_agg(json_build_object('Id', id, 'MajorStudyId', study, 'Name', name, 'IsMandatory', is_mandatory,
            'LogsNeeded', unlock_count, 'At', at) order by study_position, study, position, id)
          from (select t.id, m.id as study, m.position as study_position, t.position, t.name, t.is_mandatory, t.unlock_count,
              row_number() over (order by t.id) - 1 as at
            from skill t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id and m.deleted_at is null
            where t.program_id = $1 and m.list_id = $2 and t.deleted_at is null) p) as procedures`,
      [program, list],
    )
    const rows: { cohort: string | null; passed: number; cells: string }[] = await query(
      `select a.cohort, s.passed, s.cells from competency_standing s
      join account a on a.program_id = s.program_id and a.id = s.student_id
      where s.program_id = $1 and s.list_id = $2 and a.deleted_at is null and a.deactivated_at is null`,
      [program, list],
    )
    const zeros = () => Array.from({ length: procedures.length }, () => 0)
    const counts: Record<string, number[]> = Object.fromEntries(
      [...Object.values(states), 'more'].map((state) => [state, zeros()]),
    )
    for (const { cells } of rows)
      for (let at = 0; at < procedures.length; at++) counts[states[cells.charAt(at)] ?? 'more']![at]!++
    return {
      Columns: key,
      Studies: studies,
      Procedures: procedures,
      Needed:
        electives + procedures.filter(({ IsMandatory }: { IsMandatory: boolean }) => IsMandatory).length,
      StudentCount: rows.length,
      BehindCount: rows.filter(({ passed, cohort }) => isBehind(passed, cohort)).length,
      HasTargets: hasTargets,
      Counts: counts,
    }
  }

/** A page of the grid. */
export const gridPage =
  (query: Query): Call =>
  async (program, _account, url) => {
    const list = placeOf(url)
    const { key, expected, isBehind } = await paceOf(query, program, list)
    const rows = await query(
      `select a.id, a.last_name, a.first_name, a.student_level_id::integer as level, a.cohort, s.cells, s.passed, s.done, s.ready, s.logged
      from competency_standing s join account a on a.program_id = s.program_id and a.id = s.student_id
      where s.program_id = $1 and s.list_id = $2 and a.deleted_at is null and a.deactivated_at is null
      order by lower(a.last_name), lower(a.first_name), a.id offset $3 limit 60`,
      [program, list, Number(url.searchParams.get('Offset') ?? 0)],
    )
    const column = <T>(value: (row: (typeof rows)[number]) => T): T[] => rows.map(value)
    return {
      Columns: key,
      Students: {
        Id: column((row) => row.id),
        LastName: column((row) => row.last_name),
        FirstName: column((row) => row.first_name),
        StudentLevelId: column((row) => row.level),
        Cohort: column((row) => row.cohort),
        Cells: column((row) => row.cells),
        Passed: column((row) => row.passed),
        Done: column((row) => row.done),
        Ready: column((row) => row.ready),
        Logged: column((row) => row.logged),
        Expected: column((row) => {
          const exams = expected(row.cohort)
          return exams === null ? null : Math.round(exams * 10) / 10
        }),
        IsBehind: column((row) => isBehind(row.passed, row.cohort)),
      },
    }
  }
