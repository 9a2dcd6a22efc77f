import { addDays, daysBetween } from '#contract/core/calendar.ts'
import type { Duty, MadeProgram, MadeRotation, MadeStudent, Maker } from './maker.ts'

const weeksPerBlock = 2
const mostRanks = 5
/** Students of the plan of the next term: as many as the sites have places for, but a few. */
const mostOfNext = 31

const group = {
  Name: 'All students',
  StudentLevelIds: [],
  ShiftsPerWeek: 2,
  Weekdays: [1, 2, 3, 4, 5],
  Types: [],
}
const weights = { Rank: 60, Distance: 20, Fairness: 50, Changes: 0, Load: 0, Needs: 0 }

/** Sites as a student ranks them: some are wanted by many. */
const rankingOf = (sites: readonly { id: number }[], index: number): number[] => {
  const ids = sites.map(({ id }) => id)
  const own = index % ids.length
  const order = [ids[index % 3], ids[own], ids[(own + 2) % ids.length], ids[(index + 1) % 3], ...ids]
  return [...new Set(order)].filter((id) => id !== undefined).slice(0, mostRanks)
}

/**
 * What a student ranked for a rotation that is over: most had their first choice in most blocks, some a later one, for sites that all
 * want came before.
 */
const rankingOfPast = (
  sites: readonly { id: number }[],
  served: readonly number[],
  index: number,
): number[] => {
  const wanted = sites.slice(0, 3).map(({ id }) => id)
  const before = index % 5 === 4 ? 2 : index % 4 === 3 ? 1 : 0
  const ahead = wanted.filter((id) => !served.includes(id)).slice(0, before)
  return [...new Set([...ahead, ...served, ...rankingOf(sites, index)])].slice(0, mostRanks)
}

/** Of the sites of a program, the one that two programs share and that most students of both rank first. */
export const wantedByBoth = 1

/** Three in four rank the shared site first, and then as the others do. */
const rankingOfSpecialties = (
  sites: readonly { id: number }[],
  index: number,
  shared: number | undefined,
): number[] => {
  const own = rankingOf(sites, index)
  const isFirst = index % 4 !== 2 && sites.some(({ id }) => id === shared)
  return [...new Set(isFirst && shared !== undefined ? [shared, ...own] : own)].slice(0, 3)
}

type PlannedStudent = { program_id: number; plan_id: number; student_id: number }

const addToPlan = (
  maker: Maker,
  of: PlannedStudent,
  { excluded = [], note = '' }: { excluded?: number[]; note?: string } = {},
): Promise<void> => maker.put('placement_student', { ...of, excluded, note })

/** A ranking that was submitted as soon as it was saved, of all blocks or of each. */
const addRanking = (
  maker: Maker,
  of: PlannedStudent,
  at: string,
  {
    site_ids = [],
    block_rankings = [],
    reason = '',
  }: { site_ids?: number[]; block_rankings?: { Block: number; SiteIds: number[] }[]; reason?: string },
): Promise<void> =>
  maker.put('placement_preference', {
    ...of,
    site_ids,
    block_rankings,
    reason,
    saved_at: at,
    submitted_at: at,
  })

/** The plan that was made of a rotation which is over: each block where the student was most, as accepted and published. */
const makePast = async (
  maker: Maker,
  { plan, sites, duties }: MadeProgram,
  rotation: MadeRotation,
  students: readonly MadeStudent[],
  staff: number,
): Promise<void> => {
  const stamp = (daysAgo: number) => new Date(maker.now - daysAgo * 86_400_000).toISOString()
  const begun = daysBetween(rotation.from, maker.today)
  const id = await maker.add('placement_plan', {
    program_id: plan.id,
    name: rotation.name,
    rotation_id: rotation.id,
    template: 'ranked',
    start_date: rotation.from,
    end_date: rotation.to,
    weeks_per_block: weeksPerBlock,
    rules: {
      Groups: [{ ...group, Experiences: [], MostBlocksPerSite: null, FewestBlocksPerSite: null }],
      SiteIds: [],
      MostEveningPercent: null,
      Weights: null,
    },
    opens_at: stamp(begun + 40),
    closes_at: stamp(begun + 30),
    invited_for: stamp(begun + 40),
    reminded_for: stamp(begun + 30),
    instructions: '',
    most_ranks: mostRanks,
    ranks_per: 'plan',
    is_open_to_others: false,
    published_at: stamp(begun + 14),
    told_for: stamp(begun + 14),
    created_at: stamp(begun + 45),
    created_by: staff,
  })
  const byStudent = Map.groupBy(
    duties.filter((duty) => duty.rotation === rotation.id),
    ({ student }) => student.id,
  )
  /** Where the student was, the most often first. */
  const servedBy = (studentId: number): number[] =>
    [...Map.groupBy(byStudent.get(studentId) ?? [], ({ shift }) => shift.site.id)]
      .toSorted(([, one], [, other]) => other.length - one.length)
      .map(([siteId]) => siteId)
  const rankings = new Map(
    students.map((student, index) => [student.id, rankingOfPast(sites, servedBy(student.id), index)]),
  )
  for (const student of students) {
    const of = { program_id: plan.id, plan_id: id, student_id: student.id }
    await addToPlan(maker, of)
    await addRanking(maker, of, stamp(begun + 33), { site_ids: rankings.get(student.id) ?? [] })
  }
  const own = students.flatMap(({ id: studentId }) => byStudent.get(studentId) ?? [])
  const byCell = Map.groupBy(own, ({ student, date }) => {
    const block = Math.floor(daysBetween(rotation.from, date) / (7 * weeksPerBlock))
    return `${student.id} ${block}`
  })
  const cells = [...byCell].flatMap(([key, held]) => {
    const [studentId = 0, block = 0] = key.split(' ').map(Number)
    const usual = [...Map.groupBy(held, ({ shift }) => shift.id).values()].toSorted(
      (one, other) => other.length - one.length,
    )[0] as Duty[]
    const [first] = usual as [Duty]
    const ranking = rankings.get(studentId) ?? []
    const rank = ranking.indexOf(first.shift.site.id) + 1 || null
    return [
      {
        StudentId: studentId,
        Block: block,
        SiteShiftId: first.shift.id,
        Weekdays: [...new Set(usual.map(({ date }) => new Date(date).getUTCDay()))].toSorted((a, b) => a - b),
        Rank: rank,
        RotationId: rotation.id,
        Reason:
          rank === 1
            ? 'Your first choice.'
            : ranking
                .slice(0, rank === null ? mostRanks : rank - 1)
                .map(
                  (siteId) =>
                    `${sites.find((site) => site.id === siteId)?.name}: others had priority by the rules and goals of the plan.`,
                )
                .join(' '),
        Why: [
          ...ranking.slice(0, rank === null ? mostRanks : rank - 1).map((siteId, place) => ({
            SiteId: siteId,
            Site: sites.find((site) => site.id === siteId)?.name ?? '',
            Rank: place + 1,
            IsOwn: false,
            Text: 'All 4 places are taken: 3 ranked it higher, 1 owed more points.',
          })),
          {
            SiteId: first.shift.site.id,
            Site: first.shift.site.name,
            Rank: rank,
            IsOwn: true,
            Text: 'The best place that was left.',
          },
        ],
        ids: usual.map((duty) => duty.id),
      },
    ]
  })
  const ranked = cells.flatMap(({ Rank }) => (Rank === null ? [] : [Rank]))
  const draft = await maker.add('placement_draft', {
    program_id: plan.id,
    plan_id: id,
    name: 'Draft A',
    seed: 1,
    input: { Effort: 'normal', Weights: weights, Places: [] },
    state: 'done',
    step: 40,
    steps: 40,
    beat_at: stamp(begun + 20),
    expected_seconds: 20,
    seconds: 17,
    figures: {
      Placed: cells.length,
      Cells: cells.length,
      MeanRank: ranked.length === 0 ? null : ranked.reduce((sum, rank) => sum + rank, 0) / ranked.length,
      Ranks: [1, 2, 3, 4]
        .map((rank) => cells.filter(({ Rank }) => (rank < 4 ? Rank === rank : (Rank ?? 0) >= 4)).length)
        .concat(cells.length - ranked.length),
      MedianMiles: null,
      SpreadBefore: 0,
      SpreadAfter: 16,
      Gap: 0.004,
      Cost: 251,
      Bound: 250,
      Missing: 0,
      Problems: [],
      Remedies: [],
    },
    created_at: stamp(begun + 20),
    created_by: staff,
    started_at: stamp(begun + 20),
    finished_at: stamp(begun + 20),
  })
  for (const { StudentId, Block, SiteShiftId, Weekdays, Rank } of cells)
    await maker.put('placement_cell', {
      program_id: plan.id,
      draft_id: draft,
      student_id: StudentId,
      block: Block,
      site_shift_id: SiteShiftId,
      weekdays: Weekdays,
      rank: Rank,
      rotation_id: rotation.id,
    })
  await maker.add('placement_acceptance', {
    program_id: plan.id,
    plan_id: id,
    draft_id: draft,
    assignment_ids: cells.flatMap(({ ids }) => ids),
    cells: cells.map(({ ids: _, ...cell }) => cell),
    accepted_at: stamp(begun + 15),
    accepted_by: staff,
  })
  for (const [studentId, held] of Map.groupBy(cells, ({ StudentId }) => StudentId)) {
    const steps = held.reduce((sum, { Rank }) => sum + (Rank === null ? mostRanks : Rank - 1), 0)
    const points = Math.round((4 * steps) / held.length)
    if (points > 0)
      await maker.put('placement_points', { program_id: plan.id, plan_id: id, student_id: studentId, points })
  }
}

/** The plan of the next term: most have ranked, and two drafts wait for the worker to solve them. */
const makeNext = async (
  maker: Maker,
  { plan, sites: all }: MadeProgram,
  from: string,
  students: readonly MadeStudent[],
  staff: number,
): Promise<void> => {
  const stamp = (daysAgo: number) => new Date(maker.now - daysAgo * 86_400_000).toISOString()
  const to = addDays(from, 6 * 7 * weeksPerBlock - 1)
  const sites = all.filter(({ agreementEnds }) => agreementEnds >= to)
  const rotation = await maker.add('rotation', {
    program_id: plan.id,
    name: `Clinical III, ${from.slice(0, 4)}`,
    start_date: from,
    end_date: to,
    target_minutes: 0,
    cohorts: [],
    notes: '',
    created_at: stamp(40),
    updated_at: stamp(40),
  })
  const id = await maker.add('placement_plan', {
    program_id: plan.id,
    name: `Clinical III, ${from.slice(0, 4)}`,
    rotation_id: rotation,
    template: 'ranked',
    start_date: from,
    end_date: to,
    weeks_per_block: weeksPerBlock,
    rules: {
      Groups: [{ ...group, Experiences: [], MostBlocksPerSite: 3, FewestBlocksPerSite: null }],
      SiteIds: [],
      MostEveningPercent: null,
      Weights: null,
    },
    opens_at: stamp(16),
    closes_at: stamp(2),
    invited_for: stamp(16),
    reminded_for: stamp(2),
    instructions: 'Rank the sites that you can reach on your own. Low ranks earn points for the next plan.',
    most_ranks: mostRanks,
    ranks_per: 'plan',
    is_open_to_others: false,
    published_at: null,
    told_for: null,
    created_at: stamp(20),
    created_by: staff,
  })
  for (const [index, student] of students.entries()) {
    const of = { program_id: plan.id, plan_id: id, student_id: student.id }
    await addToPlan(
      maker,
      of,
      index === 4 ? { excluded: [sites[0]?.id ?? 0], note: 'Their mother works there.' } : {},
    )
    if (index % 9 === 8) continue
    await addRanking(maker, of, stamp(5), {
      site_ids: rankingOf(sites, index * 5 + 1),
      reason: index % 7 === 3 ? 'I share a car with a classmate.' : '',
    })
  }
  for (const [name, fairness] of [
    ['Draft A', weights.Fairness],
    ['Draft B: fair', 100],
  ] as const)
    await maker.add('placement_draft', {
      program_id: plan.id,
      plan_id: id,
      name,
      seed: 1,
      input: { Effort: 'quick', Weights: { ...weights, Fairness: fairness }, Places: [] },
      state: 'queued',
      step: 0,
      steps: 15,
      expected_seconds: 0,
      seconds: null,
      figures: {},
      started_at: null,
      finished_at: null,
      // As if nobody had taken them: the worker does within a minute.
      beat_at: stamp(1),
      created_at: stamp(1),
      created_by: staff,
    })
}

/** Blocks of each rotation of a plan with two. */
const blocksOfRotation = 3

/**
 * A plan of two rotations, one after the other, for which students have ranked each block: some of them the sites in another order in the
 * second rotation. Other programs of the college may solve it together with theirs.
 */
export const makeSpecialties = async (
  maker: Maker,
  { plan, sites: all }: MadeProgram,
  from: string,
  students: readonly MadeStudent[],
  staff: number,
): Promise<void> => {
  const stamp = (daysAgo: number) => new Date(maker.now - daysAgo * 86_400_000).toISOString()
  const to = addDays(from, 2 * blocksOfRotation * 7 * weeksPerBlock - 1)
  const second = addDays(from, blocksOfRotation * 7 * weeksPerBlock)
  const sites = all.filter(({ agreementEnds }) => agreementEnds >= to)
  const year = from.slice(0, 4)
  const rotations = [
    { name: `Specialties I, ${year}`, start_date: from, end_date: addDays(second, -1) },
    { name: `Specialties II, ${year}`, start_date: second, end_date: to },
  ]
  const ids: number[] = []
  for (const rotation of rotations)
    ids.push(
      await maker.add('rotation', {
        program_id: plan.id,
        ...rotation,
        target_minutes: 0,
        cohorts: [],
        notes: '',
        created_at: stamp(40),
        updated_at: stamp(40),
      }),
    )
  const [first, last] = ids as [number, number]
  const id = await maker.add('placement_plan', {
    program_id: plan.id,
    name: `Specialties, ${year}`,
    rotation_id: first,
    template: 'ranked',
    start_date: from,
    end_date: to,
    weeks_per_block: weeksPerBlock,
    rules: {
      Groups: [
        {
          ...group,
          // Both programs come on the same days, so that every place is one of theirs or of the other's.
          Weekdays: [1, 2],
          Experiences: [
            {
              Name: 'Two sites in the second half',
              SiteIds: [],
              AreaIds: [],
              Types: ['day'],
              Blocks: 2,
              MostBlocks: null,
              RotationIds: [last],
              Weight: null,
            },
          ],
          MostBlocksPerSite: 4,
          FewestBlocksPerSite: null,
        },
      ],
      SiteIds: [],
      MostEveningPercent: null,
      Weights: null,
    },
    ranks_per: 'block',
    is_open_to_others: true,
    opens_at: stamp(14),
    closes_at: stamp(3),
    invited_for: stamp(14),
    reminded_for: stamp(3),
    instructions: 'Rank the sites of each block. A block that you leave out counts for nothing.',
    most_ranks: 3,
    published_at: null,
    told_for: null,
    created_at: stamp(18),
    created_by: staff,
  })
  await maker.put('placement_rotation', { program_id: plan.id, plan_id: id, rotation_id: last, place: 1 })
  for (const [index, student] of students.entries()) {
    const of = { program_id: plan.id, plan_id: id, student_id: student.id }
    await addToPlan(maker, of)
    // One has not ranked yet, and some only the first rotation.
    if (index === students.length - 1) continue
    const ranked = index % 4 === 3 ? blocksOfRotation : 2 * blocksOfRotation
    await addRanking(maker, of, stamp(6), {
      block_rankings: Array.from({ length: ranked }, (_, block) => ({
        Block: block,
        SiteIds: rankingOfSpecialties(
          sites,
          index + 2 * Math.floor(block / blocksOfRotation),
          all[wantedByBoth]?.id,
        ),
      })),
    })
  }
}

/** The placement plan of the rotation that is over, published, and the one of the next term with its drafts. */
export const makePlacementPlans = async (
  maker: Maker,
  made: MadeProgram,
  rotations: readonly [past: MadeRotation, running: MadeRotation],
  staff: number,
): Promise<void> => {
  const placed = made.students.filter(({ level }) => level < 3)
  await makePast(maker, made, rotations[0], placed, staff)
  const from = addDays(rotations[1].to, 1)
  await makeNext(maker, made, from, placed.slice(0, mostOfNext), staff)
  if (made.plan.id === 1)
    await makeSpecialties(maker, made, from, placed.slice(mostOfNext + 2, mostOfNext + 10), staff)
}
