import fc from 'fast-check'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow, makeSite, makeStudent } from './factories.ts'
import type { Caller, Installation } from './installation.ts'

/** Random histories of evaluations, for proving that what is kept of them is what counting finds. */
export const firstDay = '2026-03-01'
/** From it on, so that months are cut and whole. */
export const days = 80

export interface Started {
  program: MadeProgram
  director: Caller
  templates: { id: number; isAnonymous: boolean; items: number[]; formId: number }[]
  subjects: number[]
  sites: (number | null)[]
  evaluations: number[]
}

/** A program with two named forms and an anonymous one of two items each, and evaluations that nobody has filled. */
export const startHistory = async (installation: Installation): Promise<Started> => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const own = { program_id: program.Id }
  const templates: Started['templates'] = []
  for (const isAnonymous of [false, false, true]) {
    const { id } = await makeRow(owner, 'evaluation_template', {
      ...own,
      title: `Form ${templates.length}`,
      evaluator_role: 'student',
      subject_role: 'student',
      is_anonymous: isAnonymous,
    })
    const about = { ...own, template_id: id }
    const category = await makeRow(owner, 'evaluation_category', { ...about, name: 'Care', position: 1 })
    const type = await makeRow(owner, 'score_type', { ...about, title: 'Scale' })
    const items: number[] = []
    for (const position of [1, 2])
      items.push(
        (
          await makeRow(owner, 'evaluation_item', {
            ...about,
            category_id: category.id,
            score_type_id: type.id,
            kind: 'scored',
            text: `Item ${position}`,
            position,
          })
        ).id,
      )
    const form = await makeRow(owner, 'evaluation_form', {
      ...about,
      content: {},
      hash: Buffer.alloc(32, templates.length),
    })
    templates.push({ id, isAnonymous, items, formId: form.id })
  }
  const subjects = [(await makeStudent(owner, program)).Id, (await makeStudent(owner, program)).Id]
  const sites = [(await makeSite(owner, program)).Id, (await makeSite(owner, program)).Id, null]
  const evaluations: number[] = []
  for (let number = 0; number < 36; number++) {
    const template = templates[number % 3]!
    const { id } = await makeRow(owner, 'evaluation', {
      ...own,
      template_id: template.id,
      subject_id: subjects[number % 2],
      site_id: sites[number % 4 === 0 ? 2 : number % 2],
      date: addDays(firstDay, (number * 7) % days),
    })
    for (const item of template.items)
      await makeRow(owner, 'evaluation_answer', { ...own, evaluation_id: id, item_id: item })
    evaluations.push(id)
  }
  const director = await installation.as(await makePerson(owner, Level.Director, { program }))
  return { program, director, templates, subjects, sites, evaluations }
}

/** A change as people and the product make them, by numbers that a property chooses. */
export interface Change {
  kind: 'submit' | 'score' | 'unanswer' | 'answer' | 'reopen' | 'delete' | 'restore' | 'move'
  evaluation: number
  value: number
}

export const applyChange = async (
  installation: Installation,
  { program, templates, subjects, sites, evaluations }: Started,
  { kind, evaluation, value }: Change,
): Promise<void> => {
  const { owner } = installation
  const id = evaluations[evaluation % evaluations.length]!
  const template = templates[(evaluation % evaluations.length) % 3]!
  const at = [program.Id, id]
  const share = (value % 5) / 4
  switch (kind) {
    case 'submit': {
      const client = await owner.connect()
      try {
        await client.query('begin')
        await client.query('select from evaluation where program_id = $1 and id = $2 for update', at)
        await client.query(
          `update evaluation_answer set score = case when item_id % 2 = $4 then null else $3::numeric * 4 end,
            scale_share = case when item_id % 2 = $4 then null else $3::numeric end, is_low = $3 = 0
          where program_id = $1 and evaluation_id = $2`,
          [...at, share, value % 7 === 0 ? 0 : 2],
        )
        if (template.isAnonymous)
          await client.query('select pg_advisory_xact_lock($1, $2)', [program.Id, template.id])
        await client.query(
          `update evaluation e set is_completed = true, form_id = $3, anonymous_number = case when $4 then coalesce(
            anonymous_number, (select coalesce(max(o.anonymous_number), 0) + 1 from evaluation o
              where o.program_id = $1 and o.template_id = e.template_id)) end
          where e.program_id = $1 and e.id = $2`,
          [...at, template.formId, template.isAnonymous],
        )
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
      return
    }
    case 'score':
      await owner.query(
        `update evaluation_answer set score = $3::numeric * 4, scale_share = $3, is_low = $3 = 0
        where program_id = $1 and evaluation_id = $2 and item_id = $4`,
        [...at, share, template.items[value % 2]],
      )
      return
    case 'unanswer':
      await owner.query(
        'delete from evaluation_answer where program_id = $1 and evaluation_id = $2 and item_id = $3',
        [...at, template.items[value % 2]],
      )
      return
    case 'answer':
      await owner.query(
        `insert into evaluation_answer (program_id, evaluation_id, item_id, score, scale_share, is_low)
        select $1, e.id, $4, $3::numeric * 4, $3, $3 = 0 from evaluation e where e.program_id = $1 and e.id = $2
        on conflict (program_id, evaluation_id, item_id) do update set score = excluded.score, scale_share = excluded.scale_share`,
        [...at, share, template.items[value % 2]],
      )
      return
    case 'reopen':
      await owner.query(
        'update evaluation set is_completed = false, form_id = null where program_id = $1 and id = $2',
        at,
      )
      return
    case 'delete':
    case 'restore':
      await owner.query(
        `update evaluation set deleted_at = ${kind === 'delete' ? 'now()' : 'null'} where program_id = $1 and id = $2`,
        at,
      )
      return
    case 'move':
      await owner.query(
        'update evaluation set date = $3, subject_id = $4, site_id = $5 where program_id = $1 and id = $2',
        [...at, addDays(firstDay, value % days), subjects[value % 2], sites[value % 3]],
      )
  }
}

export const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant('submit' as const) },
    {
      weight: 14,
      arbitrary: fc.constantFrom(
        'score' as const,
        'unanswer' as const,
        'answer' as const,
        'reopen' as const,
        'delete' as const,
        'restore' as const,
        'move' as const,
      ),
    },
  ),
  evaluation: fc.nat(35),
  value: fc.nat(1000),
})
