import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Email, RequiredLine, Written } from '#contract/core/fields.ts'
import { UserName } from '#contract/people/people.ts'
import { NewPassword } from './identity.ts'

export const makeFirstAccount = endpoint({
  method: 'POST',
  path: '/first-account',
  may: 'everyone',
  summary:
    'Make the first super admin of an installation without any account, by the code in its log, and sign in',
  body: z.strictObject({
    Code: RequiredLine(50),
    FirstName: Written('name', RequiredLine(255)),
    LastName: Written('name', RequiredLine(255)),
    EmailAddress: Email,
    UserName,
    Password: NewPassword,
  }),
  answer: z.object({ RedirectTo: z.string() }),
  errors: { 404: 'there is an account already', 422: 'the code is not right', 429: 'too many attempts' },
})
