import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Email, Id, InProgram, Line, RequiredLine, Text, Written } from '#contract/core/fields.ts'

const byToken = z.strictObject({ token: z.string().max(200) })
const oneRegistrant = z.strictObject({ programId: Id, userId: Id })

/** The address `{root}/new/register/{token}`; null while registration is switched off. */
export const RegistrationLink = z.object({ Link: z.string().nullable() })

export const getRegistrationLink = endpoint({
  method: 'GET',
  path: '/programs/:programId/registration-link',
  may: 'program.settings',
  summary: 'The link by which people register themselves',
  params: InProgram,
  answer: RegistrationLink,
})

export const makeRegistrationLink = endpoint({
  method: 'POST',
  path: '/programs/:programId/registration-link',
  proof: true,
  lasts: true,
  answersSecret: true,
  may: 'program.settings',
  summary: 'Make the registration link, or a new one in place of the old, which ends',
  params: InProgram,
  answer: RegistrationLink,
})

export const removeRegistrationLink = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/registration-link',
  may: 'program.settings',
  summary: 'Switch registration off',
  params: InProgram,
})

export const getRegistration = endpoint({
  method: 'GET',
  path: '/registrations/:token',
  may: 'everyone',
  summary: 'The program that a registration link belongs to',
  params: byToken,
  answer: z.object({ ProgramName: z.string(), CollegeName: z.string() }),
  errors: { 404: 'the link was renewed or switched off' },
})

export const register = endpoint({
  method: 'POST',
  path: '/registrations/:token',
  may: 'everyone',
  summary: 'Register oneself; the answer never tells whether the address is known',
  params: byToken,
  body: z.strictObject({
    FirstName: Written('name', RequiredLine(255)),
    LastName: Written('name', RequiredLine(255)),
    EmailAddress: Email,
    PhoneNumber: Written('phone', RequiredLine(50)),
    ZipCode: Written('postalCode', RequiredLine(50)),
  }),
  status: 202,
  errors: { 404: 'the link was renewed or switched off', 429: 'too many requests' },
})

export const approveRegistrant = endpoint({
  method: 'POST',
  path: '/programs/:programId/registrants/:userId/approvals',
  may: 'people.write',
  summary: 'Make a registrant a student, and tell the person by mail',
  params: oneRegistrant,
  body: z.strictObject({
    StudentLevelId: z.number().int().min(1).max(20).nullable(),
    Cohort: Line(100),
  }),
  errors: { 422: 'the address is not confirmed, or the person is no registrant' },
})

export const declineRegistrant = endpoint({
  method: 'POST',
  path: '/programs/:programId/registrants/:userId/refusals',
  endsPeople: true,
  may: 'people.write',
  summary: 'Refuse a registrant, and tell the person by mail; the account ends and can be reactivated',
  params: oneRegistrant,
  body: z.strictObject({ Reason: Text(1_000) }),
  errors: { 422: 'the person is no registrant' },
})
