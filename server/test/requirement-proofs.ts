import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { addDays } from '#contract/core/calendar.ts'
import { sendProof } from '#contract/requirements/own-requirements.ts'
import type { Rule } from '#contract/requirements/requirement-rules.ts'
import { makeRow } from './factories.ts'
import type { Caller } from './installation.ts'

/** A day so many days from today, in UTC. */
export const dayFromNow = (days: number): string => addDays(new Date().toISOString().slice(0, 10), days)

let number = 0
export const makeRequirement = async (
  owner: pg.Pool,
  program: { Id: number },
  { rule = { Kind: 'until' }, ...row }: { rule?: Rule } & Record<string, unknown> = {},
): Promise<{ Id: number; Name: string }> => {
  const made = await makeRow(owner, 'requirement', {
    program_id: program.Id,
    name: `Requirement ${++number}`,
    blocks_placement: true,
    rule: JSON.stringify(rule),
    ...row,
  })
  return { Id: made.id, Name: made.name }
}

/** A photo as phones send it. */
export const photo = readFileSync(new URL('../demo/cpr-card.jpg', import.meta.url))

export interface Shown {
  Kind?: 'done' | 'dose' | 'titer' | 'nonResponder'
  On?: string
  Until?: string | null
  Result?: '' | 'positive' | 'negative' | 'equivocal'
  Of?: string
}

/** What a student sends for a requirement, with a photo unless other files are given. */
export const proofOf = (
  requirement: { Id: number },
  events: readonly Shown[],
  more: { Key?: string; Note?: string; SiteId?: number | null } = {},
) => ({
  body: {
    proof: {
      RequirementId: requirement.Id,
      Events: events.map((event) => ({ Kind: 'done' as const, On: dayFromNow(-1), ...event })),
      Key: randomUUID(),
      ...more,
    },
  },
})

export const send = async (
  student: Caller,
  requirement: { Id: number },
  events: readonly Shown[] = [{ Until: dayFromNow(400) }],
  content: Uint8Array | string = photo,
): Promise<number> =>
  (
    await student.ok(sendProof, proofOf(requirement, events), {
      files: [{ field: 'file', name: 'card.jpg', content }],
    })
  ).Id
