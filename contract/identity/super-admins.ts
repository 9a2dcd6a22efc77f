import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Email, Id, Instant, RequiredLine, Written } from '#contract/core/fields.ts'
import { AdminArea, hasAdminArea } from '#contract/core/levels.ts'
import { UserName } from '#contract/people/people.ts'

/** The super-admin areas in the order of their bits. */
export const areaNames = Object.keys(AdminArea) as (keyof typeof AdminArea)[]
export type AreaName = (typeof areaNames)[number]

/** The areas that a mask of some areas names, in the order of their bits; a mask of 0 names none and means all. */
export const areasOf = (mask: number): AreaName[] =>
  mask === 0 ? [] : areaNames.filter((name) => hasAdminArea(mask, AdminArea[name]))

/** The mask of these areas. */
export const maskOf = (names: readonly AreaName[]): number =>
  names.reduce((mask, name) => mask | AdminArea[name], 0)

/** A mask of areas; 0 is no restriction, so all areas, also those of later versions. */
export const Areas = z.number().int().min(0).max(maskOf(areaNames))

export const SuperAdmin = z.object({
  Id,
  UserName: z.string(),
  FirstName: z.string(),
  LastName: z.string(),
  EmailAddress: z.string(),
  IsEmailAddressConfirmed: z.boolean(),
  Areas,
  IsActive: z.boolean(),
  LastSignInDate: Instant.nullable(),
  /** False where the reader holds less than this person, or is this person. */
  CanEdit: z.boolean(),
})
export type SuperAdmin = z.infer<typeof SuperAdmin>

/**
 * Whether somebody with these areas may change a person who has `before` into one who has `after`. Areas are granted and
 * taken by those who hold them; freedom from restriction only by those who are free of it.
 */
export const mayGrant = (holds: number | null, before: number, after: number): boolean =>
  !holds ||
  before === after ||
  (before !== 0 &&
    after !== 0 &&
    areaNames.every(
      (name) =>
        hasAdminArea(holds, AdminArea[name]) || (before & AdminArea[name]) === (after & AdminArea[name]),
    ))

/** Whether somebody with these areas holds everything that the other one holds. */
export const holdsAll = (holds: number | null, other: number): boolean =>
  !holds || (other !== 0 && (other & ~holds) === 0)

const person = {
  FirstName: Written('name', RequiredLine(255)),
  LastName: Written('name', RequiredLine(255)),
  EmailAddress: Email,
  Areas,
}
const one = z.strictObject({ superAdminId: Id })
const refusals = {
  403: 'areas are granted by super admins who hold them',
  404: 'this super admin does not exist',
  422: 'it is oneself',
}

export const listSuperAdmins = endpoint({
  method: 'GET',
  path: '/super-admins',
  may: 'super-admins.manage',
  byKey: 'never',
  summary: 'Everybody who is a super admin, with areas and last sign-in, by name',
  answer: z.array(SuperAdmin),
})

export const getSuperAdmin = endpoint({
  method: 'GET',
  path: '/super-admins/:superAdminId',
  may: 'super-admins.manage',
  byKey: 'never',
  summary: 'One super admin',
  params: one,
  answer: SuperAdmin,
})

export const createSuperAdmin = endpoint({
  method: 'POST',
  path: '/super-admins',
  proof: true,
  lasts: true,
  may: 'super-admins.manage',
  byKey: 'never',
  summary: 'Add a super admin and email the way to a password',
  body: z.strictObject({ UserName, ...person }),
  answer: SuperAdmin,
  errors: { 403: refusals[403], 409: 'the user name is taken' },
})

export const updateSuperAdmin = endpoint({
  method: 'POST',
  path: '/super-admins/:superAdminId',
  proof: true,
  lasts: true,
  may: 'super-admins.manage',
  byKey: 'never',
  summary: 'Change the name, email address and areas of a super admin',
  params: one,
  body: z.strictObject(person),
  answer: SuperAdmin,
  errors: refusals,
  basis: { read: getSuperAdmin },
})

export const setSuperAdminActive = endpoint({
  method: 'POST',
  path: '/super-admins/:superAdminId/activity',
  proof: true,
  lasts: true,
  may: 'super-admins.manage',
  byKey: 'never',
  summary: 'End the access of a super admin, or give it back; ending it ends all sessions',
  params: one,
  body: z.strictObject({ IsActive: z.boolean() }),
  answer: SuperAdmin,
  errors: refusals,
})
