import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { addDays } from '#contract/core/calendar.ts'
import {
  type ExemptionFacts,
  judge,
  type ProofEvent,
  type RequirementKind,
  type Rule,
} from '#contract/requirements/requirement-rules.ts'
import { type RuleWord, ruleOf } from '#contract/requirements/rule-text.ts'
import type { DemoFiles } from './documents.ts'
import type { MadeSite, MadeStudent, Maker, ProgramPlan } from './maker.ts'

/** Students whose CPR card has expired, by their place among the students of the program. */
export const isExpired = (index: number): boolean => index % 23 === 4
/** How many days ago their cards expired. */
export const expiredDaysAgo = 7

/** Programs with fewer students and without demo accounts have the card alone. */
const fewestForAll = 1_000

/** Commas that are not between quotation marks. */
const comma = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/

interface Planned {
  name: string
  kind: RequirementKind
  rule: Rule
  scope: string
  detail: string
  blocks: boolean
  needsFile: boolean
}

/** What clinical programs ask: the file that a program would import. The card is called as people call it. */
const planned: readonly Planned[] = readFileSync(new URL('requirements.csv', import.meta.url), 'utf8')
  .trim()
  .split(/\r?\n/)
  .slice(1)
  .map((line, index) => {
    const [name = '', kind, word, detail = '', blocks, evidence] = line
      .split(comma)
      .map((cell) => cell.replace(/^"|"$/g, ''))
    const read = ruleOf(word as RuleWord, { name, kind: kind as RequirementKind, detail })
    if (!read) throw new Error(`The rule of ${name} cannot be read`)
    const { Rule: rule, Scope: scope } = read
    return {
      name: index === 0 ? 'CPR' : name,
      kind: kind as RequirementKind,
      rule,
      scope,
      detail,
      blocks: blocks === 'Y',
      needsFile: evidence === 'Y' && rule.Kind !== 'signed' && rule.Kind !== 'result',
    }
  })

const event = (Kind: ProofEvent['Kind'], On: string, more: Partial<ProofEvent> = {}): ProofEvent => ({
  Kind,
  On,
  Until: null,
  Result: '',
  Of: '',
  ...more,
})

/** What a student has shown who is in order; nothing for what only some sites ask. */
const inOrder = ({ rule, scope }: Planned, today: string, index: number): ProofEvent[] => {
  if (scope !== 'program') return []
  const done = addDays(today, -90 - (index % 150))
  switch (rule.Kind) {
    case 'until':
      return [event('done', done, { Until: addDays(today, 200 + (index % 160)) })]
    case 'months':
    case 'once':
      return [event('done', done)]
    case 'season':
      // A dose of the season that runs, or of the last one.
      return [event('dose', addDays(today, -20 - (index % 25)))]
    case 'series':
      return rule.Titer === 'after' && index % 3 > 0
        ? [
            event('dose', addDays(done, -60)),
            event('dose', addDays(done, -30)),
            event('titer', done, { Result: 'positive' }),
          ]
        : rule.Parts.length > 0
          ? rule.Parts.map((Of) => event('titer', done, { Result: 'positive', Of }))
          : [event('titer', done, { Result: 'positive' })]
    case 'signed':
      return [event('signed', done)]
    case 'result':
      return [event('result', addDays(today, -40 - (index % 60)), { Result: 'clear' })]
  }
}

/** A photo of the demo, stored once a program. */
const addPhoto = async (
  maker: Maker,
  plan: ProgramPlan,
  { files, by }: DemoFiles,
  file: string,
): Promise<number> => {
  const bytes = readFileSync(new URL(file, import.meta.url))
  const key = createHash('sha1').update(`demo ${plan.id} ${file}`).digest('hex')
  const storeKey = `${key.slice(0, 2)}/${key.slice(2)}`
  await files.place(storeKey, [bytes])
  return maker.add('stored_file', {
    program_id: plan.id,
    store_key: storeKey,
    name: file,
    media_type: 'image/jpeg',
    byte_count: bytes.length,
    sha256: `\\x${createHash('sha256').update(bytes).digest('hex')}`,
    created_at: new Date(maker.now).toISOString(),
    created_by: by,
  })
}

/** What is shown of a requirement by one student. */
interface Shown {
  events: ProofEvent[]
  state: 'submitted' | 'accepted' | 'returned'
  reason?: string
  /** Minutes ago. */
  sent: number
  photo?: number | undefined
}

const dayMinutes = 24 * 60

/** What a student shows of a requirement beyond being in order: renewals that wait, what was returned, what lacks. */
const storyOf = (
  asked: Planned,
  index: number,
  today: string,
  photos: { card: number; record: number } | undefined,
): { shown: Shown[]; exemption?: ExemptionFacts & { reason: string } } => {
  const accepted: Shown = { events: inOrder(asked, today, index), state: 'accepted', sent: 60 * dayMinutes }
  const base = accepted.events.length > 0 ? [accepted] : []
  if (asked.name === 'Health insurance') {
    if (index % 9 === 2) return { shown: [] }
    if (index % 9 === 5)
      return {
        shown: [
          {
            ...accepted,
            state: 'returned',
            reason: 'Not readable',
            sent: 3 * dayMinutes,
            photo: photos?.card,
          },
        ],
      }
  }
  if (asked.name === 'N95 fit test' && index % 4 === 1) return { shown: [] }
  if (asked.name === 'Influenza' && index % 17 === 6)
    return {
      shown: [],
      exemption: {
        Kind: 'declination',
        Until: addDays(today, 200),
        reason: 'Declined in writing; wears a mask.',
      },
    }
  if (asked.name === 'Varicella' && index % 29 === 7)
    return {
      shown: [],
      exemption: { Kind: 'medical', Until: null, reason: 'Letter of the physician on file.' },
    }
  const waits = (events: ProofEvent[], photo: number | undefined, sent: number): Shown[] => [
    ...base,
    { events, state: 'submitted', sent, photo },
  ]
  if (asked.name === 'Physical examination' && index % 13 === 3)
    return { shown: waits([event('done', addDays(today, -6))], photos?.record, 40 + index) }
  if (asked.name === 'Tuberculosis education' && index % 19 === 8)
    return { shown: waits([event('done', addDays(today, -2))], photos?.record, 300 + 7 * index) }
  if (asked.name === 'Professional liability insurance' && index % 21 === 10)
    return {
      shown: waits(
        [event('done', addDays(today, -9), { Until: addDays(today, 356) })],
        photos?.card,
        1_500 + index,
      ),
    }
  return { shown: base }
}

/**
 * What the program asks and what its students have shown: a CPR card of each, most valid for long, some about to expire, some expired;
 * in programs of the demo and in large ones everything else that clinical programs ask.
 */
export const makeRequirements = async (
  maker: Maker,
  plan: ProgramPlan,
  students: readonly MadeStudent[],
  sites: readonly MadeSite[],
  store: DemoFiles | undefined,
  staff: number,
): Promise<void> => {
  const { random, today } = maker
  const asksAll = plan.suffix !== undefined || students.length >= fewestForAll
  const photos =
    store && asksAll
      ? {
          card: await addPhoto(maker, plan, store, 'cpr-card.jpg'),
          record: await addPhoto(maker, plan, store, 'immunization-record.jpg'),
        }
      : undefined
  const stamp = (minutesAgo: number) => new Date(maker.now - minutesAgo * 60_000).toISOString()
  for (const [position, asked] of planned.slice(0, asksAll ? planned.length : 1).entries()) {
    const requirement = await maker.add('requirement', {
      program_id: plan.id,
      name: asked.name,
      kind: asked.kind,
      scope: asked.scope,
      rule: asked.rule,
      blocks_placement: asked.blocks,
      needs_file: asked.needsFile,
      instructions: asked.detail,
      position: position + 1,
      created_at: stamp(0),
      updated_at: stamp(0),
    })
    if (asked.name === 'COVID-19' || asked.name === 'Site orientation' || asked.name === 'Drug screen')
      for (const site of sites.slice(0, 2))
        await maker.put('site_requirement', {
          program_id: plan.id,
          site_id: site.id,
          requirement_id: requirement,
          max_age_days: asked.name === 'Drug screen' ? 365 : null,
          condition: asked.name === 'COVID-19' ? 'A mask at all times' : '',
          updated_at: stamp(0),
        })
    for (const [index, student] of students.entries()) {
      const { shown, exemption } =
        position === 0
          ? {
              shown: [
                cardOf(
                  isExpired(index) ? -expiredDaysAgo : index % 23 === 9 ? 45 : random.int(200, 500),
                  today,
                ),
                // Renewals come in as the end is near.
                ...(asksAll && (index % 23 === 9 || (isExpired(index) && index % 2 === 0))
                  ? [
                      {
                        ...cardOf(730, today, -3),
                        state: 'submitted' as const,
                        sent: 12 + 9 * index,
                        photo: photos?.card,
                      },
                    ]
                  : []),
              ],
              exemption: undefined,
            }
          : storyOf(asked, index, today, photos)
      await keepShown(maker, plan, { requirement, student, asked, shown, exemption, staff, stamp })
    }
  }
}

const cardOf = (endsIn: number, today: string, done = -400): Shown => ({
  events: [event('done', addDays(today, Math.min(done, endsIn - 1)), { Until: addDays(today, endsIn) })],
  state: 'accepted',
  sent: 60 * dayMinutes,
})

/** Writes proofs and exemption with what they come to. */
const keepShown = async (
  maker: Maker,
  plan: ProgramPlan,
  at: {
    requirement: number
    student: MadeStudent
    asked: Planned
    shown: readonly Shown[]
    exemption: (ExemptionFacts & { reason: string }) | undefined
    staff: number
    stamp: (minutesAgo: number) => string
  },
): Promise<void> => {
  const { requirement, student, asked, shown, exemption, staff, stamp } = at
  if (shown.length === 0 && !exemption) return
  const key = { program_id: plan.id, student_id: student.id, requirement_id: requirement }
  for (const { events, state, reason, sent, photo } of shown) {
    const proof = await maker.add('requirement_proof', {
      ...key,
      version: 1,
      events,
      source:
        asked.rule.Kind === 'signed' ? 'signature' : asked.rule.Kind === 'result' ? 'vendor' : 'student',
      state,
      return_reason: reason ?? '',
      decided_at: state === 'submitted' ? null : stamp(sent - dayMinutes),
      decided_by: state === 'submitted' ? null : staff,
      signed_name: asked.rule.Kind === 'signed' ? `${student.first} ${student.last}` : '',
      vendor: asked.rule.Kind === 'result' ? 'VerifyOne' : '',
      key: randomUUID(),
      created_at: stamp(sent),
      updated_at: stamp(sent),
    })
    if (photo !== undefined)
      await maker.put('requirement_proof_file', {
        program_id: plan.id,
        proof_id: proof,
        position: 0,
        file_id: photo,
      })
  }
  if (exemption)
    await maker.add('requirement_exemption', {
      ...key,
      kind: exemption.Kind,
      reason: exemption.reason,
      until_on: exemption.Until,
      created_at: stamp(30 * dayMinutes),
      created_by: staff,
    })
  const standing = judge(
    { Rule: asked.rule, TextVersion: 1 },
    shown.map(({ events, state }) => ({ Events: events, State: state, Version: 1 })),
    exemption ? [exemption] : [],
  )
  await maker.put('student_requirement', {
    ...key,
    status: standing.Status,
    completed_on: standing.CompletedOn,
    expires_on: standing.ExpiresOn,
    is_waiting: standing.IsWaiting,
    is_returned: standing.IsReturned,
    exemption: standing.Exemption,
    next: standing.Next,
  })
}
