import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant, PageOf, paging, RequiredLine } from '#contract/core/fields.ts'

/** What a student signs. */
export const declarationText =
  'I declare in writing that I am pregnant, as 10 CFR 20.1208 provides, so that the lower dose limit for the embryo or fetus applies. I do so by choice. I may withdraw this declaration in writing at any time and need not say why.'

export const OwnDeclaration = z.object({
  Text: z.string(),
  /** The declaration that holds; null without one. */
  Declared: z.object({ SignedAt: Instant, ConceivedOn: DateOnly }).nullable(),
})
export type OwnDeclaration = z.infer<typeof OwnDeclaration>

export const getOwnDeclaration = endpoint({
  method: 'GET',
  path: '/pregnancy-declaration/mine',
  class: 'declaration',
  may: 'safety.own',
  summary: 'The own declaration of pregnancy, if one holds, and the text that is signed',
  answer: OwnDeclaration,
})

export const declarePregnancy = endpoint({
  method: 'POST',
  path: '/pregnancy-declaration/mine',
  class: 'declaration',
  may: 'safety.own',
  summary:
    'Declare a pregnancy by typing one’s name; the director and the radiation safety officer alone see it',
  body: z.strictObject({ Name: RequiredLine(100), ConceivedOn: DateOnly }),
  answer: OwnDeclaration,
  errors: { 409: 'one holds already', 422: 'the name is another one, or the day cannot be' },
})

export const withdrawDeclaration = endpoint({
  method: 'POST',
  path: '/pregnancy-declaration/mine/withdrawal',
  class: 'declaration',
  may: 'safety.own',
  summary: 'Withdraw the own declaration in writing, by typing one’s name',
  body: z.strictObject({ Name: RequiredLine(100) }),
  answer: OwnDeclaration,
  errors: { 404: 'none holds', 422: 'the name is another one' },
})

export const Declaration = z.object({
  Id,
  StudentId: Id,
  Student: z.string(),
  ConceivedOn: DateOnly,
  SignedAt: Instant,
  WithdrawnAt: Instant.nullable(),
})
export type Declaration = z.infer<typeof Declaration>

export const listDeclarations = endpoint({
  method: 'GET',
  path: '/programs/:programId/pregnancy-declarations',
  class: 'declaration',
  may: 'declarations.read',
  summary:
    'Declarations of pregnancy, the newest first; for the director and the radiation safety officer alone',
  isAudited: true,
  params: InProgram,
  query: z.strictObject(paging),
  answer: PageOf(Declaration),
  errors: { 403: 'it is neither the director nor the radiation safety officer who asks' },
})

export const getRadiationOfficers = endpoint({
  method: 'GET',
  path: '/programs/:programId/radiation-officers',
  may: 'radiation-officers.set',
  summary: 'Who sees declarations besides the director, and who may be chosen',
  params: InProgram,
  answer: z.object({ Ids: z.array(Id), Staff: z.array(z.object({ Id, Name: z.string() })) }),
})

export const setRadiationOfficers = endpoint({
  method: 'POST',
  path: '/programs/:programId/radiation-officers',
  may: 'radiation-officers.set',
  summary: 'Choose who sees declarations besides the director',
  params: InProgram,
  body: z.strictObject({ Ids: z.array(Id).max(5) }),
  answer: z.object({ Ids: z.array(Id) }),
  errors: { 404: 'somebody is no staff of the program' },
  basis: { read: getRadiationOfficers },
})
