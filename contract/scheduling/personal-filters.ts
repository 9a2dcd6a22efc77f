import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, Ids } from '#contract/core/fields.ts'

/** Which personal filters the person uses. */
export const PersonalFilterSettings = z.object({
  IsStudentFilterEnabled: z.boolean(),
  IsSiteFilterEnabled: z.boolean(),
  IsShiftFilterEnabled: z.boolean(),
})
export type PersonalFilterSettings = z.infer<typeof PersonalFilterSettings>

export const getPersonalFilterSettings = endpoint({
  method: 'GET',
  path: '/personal-filter-settings',
  may: 'signed-in',
  summary: 'Which personal filters the caller uses',
  answer: PersonalFilterSettings,
})

export const savePersonalFilterSettings = endpoint({
  method: 'POST',
  path: '/personal-filter-settings',
  may: 'scheduling.read',
  summary: 'Turn the own personal filters on and off, and say whom and what they hold',
  body: z.strictObject({
    IsStudentFilterEnabled: z.boolean(),
    IsSiteFilterEnabled: z.boolean(),
    IsShiftFilterEnabled: z.boolean(),
    /** What the filters hold; left out, it stays as it was. */
    StudentIds: Ids.optional(),
    SiteIds: Ids.optional(),
    SiteShiftIds: Ids.optional(),
  }),
  answer: PersonalFilterSettings,
  errors: { 404: 'something chosen does not exist', 409: 'no program is chosen' },
})

const Named = z.object({ Id, Name: z.string() })

export const getPersonalFilters = endpoint({
  method: 'GET',
  path: '/personal-filters',
  may: 'scheduling.read',
  summary: 'What the personal filters of the caller hold',
  answer: z.object({ Students: z.array(Named), Sites: z.array(Named), SiteShifts: z.array(Named) }),
})
