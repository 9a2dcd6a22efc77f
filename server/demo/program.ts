import { addDays, formatDate } from '#contract/core/calendar.ts'
import type { FileStore } from '#server/core/runtime/file-store.ts'
import { makeAccounts } from './accounts.ts'
import { makeAnnouncements } from './announcements.ts'
import { makeAssignments } from './assignments.ts'
import { makeCompetencies } from './competencies.ts'
import { makeDocuments, makeSitePapers } from './documents.ts'
import { makeEmails } from './emails.ts'
import { makeEmployees } from './employees.ts'
import { makeEmployment } from './employment.ts'
import { makeEvaluations } from './evaluations.ts'
import { makeGraduates } from './graduates.ts'
import { makeInbox } from './inbox.ts'
import type { MadeProgram, MadeSite, Maker, ProgramPlan } from './maker.ts'
import { makeMenu } from './menu.ts'
import { fields } from './names.ts'
import { makeOpenShifts } from './open-shifts.ts'
import { makePackets } from './packets.ts'
import { makePayments } from './payments.ts'
import { makePlaceRequests } from './place-requests.ts'
import { makePlacementLists } from './placement-lists.ts'
import { makePlacementPlans, makeSpecialties } from './placement-plans.ts'
import { makeProcedureLogs } from './procedure-logs.ts'
import { makeRequirements } from './requirements.ts'
import { makeRotations } from './rotations.ts'
import { makeSaved } from './saved.ts'
import { makeShiftRequests } from './shift-requests.ts'
import { makeShifts } from './shifts.ts'
import { makeSites } from './sites.ts'
import { makeGraduate, makePunches } from './time-records.ts'
import { makePlanGoals, makeSyncLog } from './upkeep.ts'
import { makeVerifications } from './verifications.ts'

/** The program itself with the names of its student levels. */
const makeProgramRow = async (maker: Maker, plan: ProgramPlan): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  await maker.add('program', {
    college_id: plan.collegeId,
    name: plan.name,
    modality_id: 1 + Math.max(0, fields.indexOf(plan.field)),
    program_class_id: 1,
    program_type_id: 1 + (plan.id % 2),
    state: plan.state,
    time_zone: plan.timeZone,
    has_credit: true,
    requires_totp: false,
    is_payment_enabled: false,
    active_from: '2020-01-01',
    active_through: null,
    is_menu_visible: true,
    options: {},
    created_at: stamp,
    updated_at: stamp,
    language_profile_id:
      plan.field === 'Nursing' ? 1 : plan.field === 'Diagnostic Medical Sonography' ? 2 : null,
  })
  for (const [index, name] of ['Level 1', 'Level 2', 'Graduating'].entries())
    await maker.put('student_level', { program_id: plan.id, id: index + 1, name })
}

/** Answers the ids of the areas. */
const makeAreas = async (maker: Maker, plan: ProgramPlan): Promise<number[]> => {
  const stamp = new Date(maker.now).toISOString()
  const areas: number[] = []
  for (const name of ['General', 'Advanced imaging', 'Mobile and surgery'])
    areas.push(
      await maker.add('area', {
        program_id: plan.id,
        name,
        is_active: true,
        are_notifications_enabled: false,
        created_at: stamp,
        updated_at: stamp,
      }),
    )
  return areas
}

/** Each supervisor has one or two sites; who else works at sites has those of the first. Answers the supervisors. */
const assignSites = async (
  maker: Maker,
  plan: ProgramPlan,
  people: { supervisors: readonly number[]; atSites: readonly number[] },
  sites: readonly MadeSite[],
): Promise<MadeProgram['supervisors']> => {
  const supervisors: MadeProgram['supervisors'] = []
  for (const [index, id] of people.supervisors.entries()) {
    const own = [sites[index % sites.length]!, sites[(index + 3) % sites.length]!].filter(
      (site, at, all) => all.indexOf(site) === at,
    )
    for (const site of own)
      await maker.put('supervisor_site', { program_id: plan.id, account_id: id, site_id: site.id })
    supervisors.push({ id, sites: own.map((site) => site.id) })
  }
  // Both have the sites of the demo's supervisor, where students are.
  for (const account of people.atSites)
    for (const site of supervisors[0]?.sites ?? [])
      await maker.put('supervisor_site', { program_id: plan.id, account_id: account, site_id: site })
  return supervisors
}

/** A program with its people, places, schedule, hours and whatever else a program has. */
export const makeProgram = async (
  maker: Maker,
  plan: ProgramPlan,
  passwordHash: string,
  files: FileStore | undefined,
): Promise<void> => {
  const stamp = new Date(maker.now).toISOString()
  await makeProgramRow(maker, plan)
  const areas = await makeAreas(maker, plan)
  const people = await makeAccounts(maker, plan, areas, passwordHash)
  const store = files && plan.suffix !== undefined ? { files, by: people.coordinator } : undefined
  const sites = await makeSites(maker, plan, areas, store)
  const shifts = await makeShifts(maker, plan, sites)
  const rotations = await makeRotations(maker, plan)
  const supervisors = await assignSites(maker, plan, people, sites)
  await makeRequirements(maker, plan, people.students, sites, store, people.coordinator)
  if (plan.suffix !== undefined) await makePackets(maker, plan, people.students, sites, people.coordinator)
  await makeVerifications(maker, plan, people.students)
  if (plan.suffix !== undefined) await makePayments(maker, plan)
  await makeEmployment(maker, plan, people.alumni, sites)
  await makeGraduates(maker, plan)
  const duties = await makeAssignments(maker, plan, people.students, shifts, rotations)
  const rotationOf = (date: string) =>
    rotations.find(({ from, to }) => from <= date && date <= to)?.id ?? null
  const asked = await makePunches(maker, plan, duties, people.coordinator, rotationOf)
  if (people.graduate) await makeGraduate(maker, plan, people, sites)
  await makeMenu(maker, plan)
  if (store) {
    await makeDocuments(maker, plan, sites, store)
    await makeSitePapers(maker, plan, sites, store)
  }
  if (plan.suffix !== undefined)
    await makeSaved(maker, plan, {
      students: people.students,
      by: people.coordinator,
      rotation: rotations[1].name,
      from: rotations[1].from,
    })
  await makeEmployees(maker, plan, sites, { reader: people.faculty, stamp })
  const procedures = await makeCompetencies(maker, plan, stamp)
  await makeSyncLog(maker, plan, people.coordinator)
  await makePlanGoals(maker, plan, Number(maker.today.slice(0, 4)))
  const made = {
    plan,
    students: people.students,
    supervisors,
    faculty: people.faculty,
    sites,
    duties,
  }
  if (plan.suffix !== undefined) {
    await makeOpenShifts(maker, made, people.coordinator)
    await makeShiftRequests(maker, made, people.coordinator)
    await makePlacementLists(maker, made, people.coordinator)
    await makeInbox(maker, plan, supervisors)
    await makePlaceRequests(maker, made, people.coordinator)
    await makePlacementPlans(maker, made, rotations, people.coordinator)
  }
  // Of the same college as the first program, with which it shares a site: both can be solved together.
  if (plan.id === 2)
    await makeSpecialties(
      maker,
      made,
      addDays(rotations[1].to, 1),
      made.students.filter(({ level }) => level < 3).slice(0, 12),
      people.coordinator,
    )
  await makeProcedureLogs(maker, made, procedures)
  await makeEvaluations(maker, made)
  await makeEmails(maker, plan, people.students)
  await makeAnnouncements(maker, plan, people)
  for (const { student, date, reason } of asked.slice(-4))
    await maker.add('notification', {
      program_id: plan.id,
      account_id: people.coordinator,
      kind: 'time_change_asked',
      text: `Time change requested by ${student.first} ${student.last}: ${formatDate(date)}. ${reason}`,
      link: '/new/admin/approve-time-records',
      created_at: stamp,
    })
}
