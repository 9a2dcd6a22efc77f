import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import type { Installation, SignedIn } from './installation.ts'
import type { Request } from './load.ts'

export const api = '/new/api'
/** The day so many days from today, 'YYYY-MM-DD'. */
export const dayFromNow = (days: number): string => addDays(new Date().toISOString().slice(0, 10), days)
/** A reading call of the person. */
export const get = (who: SignedIn, path: string): Request => ({
  method: 'GET',
  path: `${api}${path}`,
  headers: who.headers,
})

/** The reading calls of a program, by their letters in the table. */
export const readsOf = (staff: SignedIn) => {
  const program = `/programs/${staff.programId}`
  return {
    a: [
      get(staff, `${program}/time-records?Status=pending&pageSize=50`),
      get(staff, `${program}/time-records/counts`),
    ],
    b: [get(staff, `${program}/shift-assignments?pageSize=100`)],
    c: [get(staff, `${program}/users?AccessLevel=39`)],
    e: [get(staff, `${program}/home`)],
  }
}

/** What opening a page asks: the director's outcomes, the installation overview, and a student's page. */
export const pagesOf = (director: SignedIn, superAdmin: SignedIn, studentId: number) => {
  const program = `/programs/${director.programId}`
  const student = `${program}/students/${studentId}`
  return {
    f: [
      get(director, `${program}/outcomes`),
      get(director, `${program}/outcomes/site-use`),
      get(director, `${program}/outcomes/evaluations`),
    ],
    g: [get(superAdmin, '/overview')],
    h: [
      get(director, student),
      get(director, `${student}/hours`),
      get(director, `${student}/shifts?When=next&pageSize=4`),
      get(director, `${student}/evaluations?pageSize=1`),
    ],
  }
}

/** The competency grid of a list: its head, its first page, and one far down. */
export const gridOf = (staff: SignedIn, listId: number): Request[] => {
  const grid = `/programs/${staff.programId}/competency-lists/${listId}/grid`
  return [get(staff, `${grid}/head`), get(staff, `${grid}?Offset=0`), get(staff, `${grid}?Offset=1200`)]
}

/** Signs in whoever has the highest level among the program's staff. */
export const staffOf = async (at: Installation, programId: number): Promise<SignedIn> => {
  const { rows } = await at.owner.query(
    `select id::integer from account where program_id = $1 and access_level between 59 and 89 and deleted_at is null
      and deactivated_at is null order by access_level desc, id limit 1`,
    [programId],
  )
  return (await at.signIn([rows[0].id]))[0]!
}

/** The largest programs of the demo have coordinators alone. */
export const directorOf = async (at: Installation, programId: number): Promise<SignedIn> => {
  const { rows } = await at.owner.query(
    `insert into account (program_id, user_name, access_level, first_name, last_name, email)
    values ($1, 'benchdirector', $2, 'Bench', 'Director', 'director@example.edu') returning id::integer`,
    [programId, Level.Director],
  )
  return (await at.signIn([rows[0].id]))[0]!
}

/** Signs in the first super admin. */
export const superAdminOf = async (at: Installation): Promise<SignedIn> => {
  const { rows } = await at.owner.query(
    'select id::integer from account where access_level = 100 and deleted_at is null order by id limit 1',
  )
  return (await at.signIn([rows[0].id]))[0]!
}

/** A student, and the door of a site where they clock in. */
export interface Puncher {
  student: SignedIn
  site: number
  latitude: number
  longitude: number
}

/** Students who are not clocked in, of one program or of all: first those without a punch of the last two days. */
export const punchersOf = async (
  at: Installation,
  { programId, limit }: { programId?: number; limit: number },
): Promise<Puncher[]> => {
  const { rows } = await at.owner.query<Omit<Puncher, 'student'> & { id: number }>(
    `select a.id::integer as id, s.id::integer as site, s.latitude, s.longitude
    from account a cross join lateral (select * from site s where s.program_id = a.program_id and s.deleted_at is null
      and s.is_active and s.latitude is not null order by (s.id * 7919 + a.id) % 31 limit 1) s
    where ($1::bigint is null or a.program_id = $1) and a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null
      and not exists (select from time_record r where r.program_id = a.program_id and r.student_id = a.id
        and r.occurred_at > now() - interval '2 days' and r.kind = 'in' and r.partner_id is null and r.deleted_at is null)
    order by exists (select from time_record r where r.program_id = a.program_id and r.student_id = a.id
      and r.occurred_at > now() - interval '2 days'), a.id limit $2`,
    [programId ?? null, limit],
  )
  const students = await at.signIn(rows.map(({ id }) => id))
  // One is signed in for each row.
  return rows.map(({ id: _id, ...row }, index) => ({ ...row, student: students[index]! }))
}

export const punchOf = (
  { student, site, latitude, longitude }: Puncher,
  Kind: 'in' | 'out',
  key: string,
): Request => ({
  method: 'POST',
  path: `${api}/clock/punches`,
  headers: { ...student.headers, 'idempotency-key': key },
  body: JSON.stringify({ Kind, SiteId: site, Latitude: latitude, Longitude: longitude }),
})

/** Students clock in and out by turns, each over one connection, every punch with its own key. */
export const punches = async (at: Installation, programId: number) => {
  const punchers = await punchersOf(at, { programId, limit: 480 })
  const { rows: last } = await at.owner.query('select max(id)::integer as id from time_record')
  let keys = 0
  const next = () => {
    const turns = new Map<number, number>()
    return (connection: number): Request => {
      const own = Math.max(1, Math.floor((punchers.length - connection + 15) / 16))
      const turn = turns.get(connection) ?? 0
      turns.set(connection, turn + 1)
      const index = ((Math.floor(turn / 2) % own) * 16 + connection) % punchers.length
      // The index is within the list.
      return punchOf(punchers[index]!, turn % 2 === 0 ? 'in' : 'out', `bench-${process.pid}-${++keys}`)
    }
  }
  const forget = async () => {
    const added = [programId, last[0].id]
    // Marked first, so that no sum holds them.
    await at.owner.query('update time_record set deleted_at = now() where program_id = $1 and id > $2', added)
    await at.owner.query('delete from time_record where program_id = $1 and id > $2', added)
  }
  return { next, forget, students: punchers.length }
}
