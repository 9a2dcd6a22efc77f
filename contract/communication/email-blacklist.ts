import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, PageOf, paging, Sort } from '#contract/core/fields.ts'

/**
 * Addresses and whole domains that get no mail. A super admin's entries hold for the installation,
 * those of other staff for the mail of their program.
 */
export const BlacklistEntry = z.object({ Id, Email: z.string() })
export type BlacklistEntry = z.infer<typeof BlacklistEntry>

/** Most addresses of one paste. */
export const maxPasted = 1_000

const address = /^[^\s@<>"(),:;\\]+@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/

/**
 * An address or domain as it is kept: in lower case, without a name, brackets or 'mailto:'; undefined when it is neither.
 * A domain begins with '@' and means exactly that domain, not those below it.
 */
export const normalizeBlocked = (text: string): string | undefined => {
  const bare = (/<([^<>]*)>/.exec(text)?.[1] ?? text)
    .normalize('NFC')
    .trim()
    .replace(/^mailto:/i, '')
    .toLowerCase()
  const isKnown = bare.length <= 255 && address.test(bare.startsWith('@') ? `x${bare}` : bare)
  return isKnown ? bare : undefined
}

/** What somebody typed or pasted, apart: by line breaks, commas, semicolons, tabs, and blanks outside `Name <address>`. */
export const splitPasted = (text: string): string[] =>
  text
    .split(/[\r\n,;\t]+/)
    .flatMap((part) => (part.includes('<') ? [part] : part.split(/\s+/)))
    .map((part) => part.trim())
    .filter(Boolean)

const filters = { search: z.string().max(255).default('') }
const oneEntry = z.strictObject({ entryId: Id })

export const listBlacklist = endpoint({
  method: 'GET',
  path: '/email-blacklist',
  may: 'blacklist.manage',
  summary: 'The addresses that get no mail',
  query: z.strictObject({ ...filters, sort: Sort(['Id', 'Email']).default('Email'), ...paging }),
  answer: PageOf(BlacklistEntry),
})

export const addToBlacklist = endpoint({
  method: 'POST',
  path: '/email-blacklist',
  may: 'blacklist.manage',
  summary: 'Add addresses and domains; what is no address is told and the others are added',
  body: z.strictObject({
    Emails: z.array(z.string().max(1_000)).min(1).max(maxPasted),
    /** The person was asked and adds them although one is that person's own address, or a domain of the program's people. */
    IsConfirmed: z.boolean().default(false),
  }),
  answer: z.object({
    Added: z.array(BlacklistEntry),
    /** What was there already, as it is. */
    Known: z.array(z.string()),
    /** What is neither an address nor a domain. */
    Refused: z.array(z.string()),
  }),
  errors: { 409: 'the own address, or a domain that people of the program have; nothing was added' },
})

export const removeFromBlacklist = endpoint({
  method: 'DELETE',
  path: '/email-blacklist/:entryId',
  may: 'blacklist.manage',
  summary: 'Take an address off the list; emails that were blocked stay so',
  params: oneEntry,
})

export const restoreToBlacklist = endpoint({
  method: 'POST',
  path: '/email-blacklist/:entryId/restoration',
  may: 'blacklist.manage',
  summary: 'Put an address back on the list',
  params: oneEntry,
  answer: BlacklistEntry,
  errors: { 409: 'the address was added anew' },
})

export const exportBlacklist = endpoint({
  method: 'GET',
  path: '/email-blacklist/export',
  proof: 'file',
  isHeavy: true,
  mayBeBehind: true,
  may: 'blacklist.manage',
  summary: 'The list as a CSV file',
  query: z.strictObject(filters),
  answers: 'file',
  fileTypes: ['csv'],
})
