import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Email,
  Id,
  Ids,
  InProgram,
  Line,
  PageOf,
  paging,
  RequiredLine,
  Small,
  Sort,
  Written,
} from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'
import { directoryFields } from './directory-fields.ts'
import { isNamed, personLimits } from './person-fields.ts'

const oneUser = z.strictObject({ programId: Id, userId: Id })
const Name = z.string()

export const AccessLevelItem = z.object({ Id: z.number().int(), Name: z.string() })

export const listAccessLevels = endpoint({
  method: 'GET',
  path: '/users/access-levels',
  may: 'people.read',
  summary: 'The access levels, highest first; people who are not super admins name a range',
  query: z.strictObject({ min: Small.optional(), max: Small.optional() }),
  answer: z.array(AccessLevelItem),
})

export const listStudentLevels = endpoint({
  method: 'GET',
  path: '/programs/:programId/student-levels',
  may: 'people.read',
  summary: 'The student levels of the program that have a label',
  params: InProgram,
  answer: z.array(z.object({ Id, ProgId: Id, Name })),
})

export const listCohorts = endpoint({
  method: 'GET',
  path: '/programs/:programId/cohorts',
  may: 'people.read',
  summary: "The names of the program's cohorts",
  params: InProgram,
  answer: z.array(z.string()),
})

export const UserItem = z.object({
  Id,
  FirstName: Name,
  LastName: Name,
  UserName: Name,
  EmailAddress: Name,
  AccessLevel: z.number().int(),
  StudentLevelId: z.number().int().nullable(),
})
export type UserItem = z.infer<typeof UserItem>

export const listUsers = endpoint({
  method: 'GET',
  path: '/programs/:programId/users',
  may: 'people.read',
  summary: 'The active people of the program by name, for pickers; with AccessLevel only those of that level',
  params: InProgram,
  query: z.strictObject({ AccessLevel: Small.optional() }),
  answer: z.array(UserItem),
})

export const UserRow = UserItem.extend({
  StudentNumber: z.string().nullable(),
  AreaId: Id.nullable(),
  Area: z.string().nullable(),
  StudentLevel: z.string().nullable(),
  Cohort: z.string().nullable(),
  IsActive: z.boolean(),
  /** The last day to come of whoever leaves. */
  LeavesOn: DateOnly.nullable(),
  IsEmailAddressConfirmed: z.boolean(),
  /** The owner has said that a change was not theirs: nobody gets in until a new password is set or staff open the account. */
  IsFrozen: z.boolean(),
  HasAuthenticator: z.boolean(),
})
export type UserRow = z.infer<typeof UserRow>

export const searchUsers = endpoint({
  method: 'GET',
  path: '/programs/:programId/users/list',
  may: 'people.read',
  summary: 'A page of the people, for managing them; search takes name, user name, email and student ID',
  params: InProgram,
  query: z.strictObject({
    ...paging,
    search: z.string().max(100).default(''),
    AccessLevels: z.array(Small).max(20).default([]),
    AreaIds: Ids.default([]),
    StudentLevelIds: z.array(z.number().int()).max(20).default([]),
    Cohort: z.string().max(100).optional(),
    IsActive: z.boolean().default(true),
    sort: Sort(['LastName', 'FirstName', 'UserName', 'AccessLevel', 'StudentNumber', 'Cohort']).default(
      'LastName',
    ),
  }),
  answer: PageOf(UserRow),
})

const OptionalLine = (most: number) => Line(most).nullable().default(null)

const limits = personLimits

const Personal = {
  FirstName: Written('name', Line(limits.FirstName)).default(''),
  MiddleName: Line(limits.MiddleName).default(''),
  LastName: Written('name', Line(limits.LastName)).default(''),
  Suffix: Line(limits.Suffix).default(''),
  Institution: Line(limits.Institution).default(''),
  ZipCode: Written('postalCode', Line(limits.ZipCode)).default(''),
  PhoneNumber: Written('phone', Line(limits.PhoneNumber)).default(''),
  /** Empty where a directory or a roster has told none. */
  EmailAddress: z.union([z.literal(''), Email]),
  AreaId: Id.nullable(),
  AccessLevel: Small,
  StudentNumber: OptionalLine(limits.StudentNumber),
  StudentLevelId: z.number().int().min(1).max(20).nullable().default(null),
  Cohort: OptionalLine(limits.Cohort),
  SupervisorSiteIds: Ids.default([]),
}

const DirectoryFields = z.array(z.enum(directoryFields))

export const UserDetail = z.object({
  Id,
  UserName: z.string(),
  FirstName: Name,
  MiddleName: Name,
  LastName: Name,
  Suffix: Name,
  Institution: Name,
  ZipCode: Name,
  PhoneNumber: Name,
  EmailAddress: Name,
  AreaId: Id.nullable(),
  AccessLevel: z.number().int(),
  StudentNumber: z.string().nullable(),
  StudentLevelId: z.number().int().nullable(),
  Cohort: z.string().nullable(),
  SupervisorSiteIds: z.array(Id),
  IsActive: z.boolean(),
  /** Their access and level are switched in Test Users Access only. */
  IsTestUser: z.boolean(),
  /** Where a directory says some of it: those fields are its to write, except those that staff keep. */
  Directory: z.object({ Name: z.string(), Fields: DirectoryFields, Kept: DirectoryFields }).nullable(),
})
export type UserDetail = z.infer<typeof UserDetail>

export const getUser = endpoint({
  method: 'GET',
  path: '/programs/:programId/users/:userId',
  may: 'people.read',
  summary: "One person's account",
  params: oneUser,
  views: 'userId',
  answer: UserDetail,
})

/** Letters and digits, at most 50. */
export const UserName = z
  .string()
  .min(1, 'is required')
  .max(50, 'can have at most 50 characters')
  .regex(/^[A-Za-z0-9]*$/, 'must be letters and digits only')

/** What Add User sends. */
export const NewUser = z.strictObject({
  username: UserName,
  password: z.string().min(8, 'must have at least 8 characters').max(50, 'can have at most 50 characters'),
  firstName: Written('name', RequiredLine(limits.FirstName)),
  middleName: Line(limits.MiddleName).default(''),
  lastName: Written('name', RequiredLine(limits.LastName)),
  suffix: Line(limits.Suffix).default(''),
  institution: Line(limits.Institution).default(''),
  zipCode: Written('postalCode', RequiredLine(limits.ZipCode)),
  phoneNumber: Written('phone', RequiredLine(limits.PhoneNumber)),
  emailAddress: Email,
  areaId: Id,
  accessLevel: Small,
  supervisorSiteIds: Ids.default([]),
})

export const createUser = endpoint({
  method: 'POST',
  path: '/users',
  may: 'people.write',
  summary: 'Add a person to the chosen program',
  body: NewUser,
  answer: z.object({ Id }),
  errors: { 409: 'the user name is taken', 422: 'no program is chosen, or the level may not be given' },
})

/** A person who sets their own password by a mailed link. */
export const InvitedUser = z
  .strictObject({
    firstName: Written('name', Line(limits.FirstName)).default(''),
    lastName: Written('name', Line(limits.LastName)).default(''),
    emailAddress: Email,
    accessLevel: Small,
    middleName: Line(limits.MiddleName).default(''),
    suffix: Line(limits.Suffix).default(''),
    institution: Line(limits.Institution).default(''),
    zipCode: Written('postalCode', Line(limits.ZipCode)).default(''),
    phoneNumber: Written('phone', Line(limits.PhoneNumber)).default(''),
    areaId: Id.nullable().default(null),
    supervisorSiteIds: Ids.default([]),
  })
  .refine(({ firstName, lastName }) => isNamed(firstName, lastName), {
    path: ['lastName'],
    message: 'is required',
  })
export type InvitedUser = z.input<typeof InvitedUser>

export const inviteUser = endpoint({
  method: 'POST',
  path: '/users/invitations',
  may: 'people.write',
  summary: 'Add a person to the chosen program by name, email and level; a mailed link sets the password',
  body: InvitedUser,
  /** The user name is made from the name. */
  answer: z.object({ Id, UserName: z.string() }),
  errors: { 422: 'no program is chosen, or the level may not be given' },
})

/** `AllowsSharedStudentNumber` keeps a student ID that another student has too, after the question. */
export const UserInput = z
  .strictObject({
    ...Personal,
    AllowsSharedStudentNumber: z.boolean().default(false),
    /** The fields of the directory that staff write from now on; the others are given back to it. Left out, it stays as it is. */
    KeptFields: DirectoryFields.max(directoryFields.length).optional(),
    /** Comes back as it was read, and changes nothing. */
    Directory: UserDetail.shape.Directory.optional(),
  })
  .refine(({ FirstName, LastName }) => isNamed(FirstName, LastName), {
    path: ['LastName'],
    message: 'is required',
  })

export const updateUser = endpoint({
  method: 'POST',
  path: '/programs/:programId/users/:userId',
  may: 'people.write',
  summary: 'Change a person; the user name never changes',
  params: oneUser,
  body: UserInput,
  answer: UserDetail,
  errors: {
    409: 'another student has this student ID, or a field is the directory’s',
    422: 'the level may not be given',
  },
  basis: { read: getUser, elsewhere: { KeptFields: ({ Directory }: UserDetail) => Directory?.Kept } },
})

export const deactivateUser = endpoint({
  method: 'POST',
  path: '/programs/:programId/users/:userId/deactivation',
  proof: true,
  endsPeople: true,
  may: 'people.write',
  summary: 'End a person’s access; everything recorded stays',
  params: oneUser,
  errors: { 422: 'it is oneself, or a test user' },
})

export const reactivateUser = endpoint({
  method: 'POST',
  path: '/programs/:programId/users/:userId/reactivation',
  proof: true,
  may: 'people.write',
  summary: 'Give back access, the shifts whose place is still free, and the evaluations that stopped',
  params: oneUser,
  errors: { 422: 'it is a test user' },
})

export const endUserSessions = endpoint({
  method: 'POST',
  path: '/programs/:programId/users/:userId/session-ends',
  may: 'people.write',
  summary: 'Sign a person out everywhere',
  params: oneUser,
})

export const mailPasswordLink = endpoint({
  method: 'POST',
  path: '/programs/:programId/users/:userId/password-links',
  may: 'people.write',
  byKey: 'never',
  summary: 'Mail a link to set a new password',
  params: oneUser,
  status: 202,
  errors: { 422: 'the person has no email address' },
})

const assignSiteLevels: readonly number[] = [Level.Supervisor, Level.SiteEmployee, Level.GenericEmployee]

/** Whether people of the level are assigned to sites, so that Add User offers them. */
export const hasAssignedSites = (level: number): boolean => assignSiteLevels.includes(level)

const memberLevels: readonly number[] = [Level.Student, Level.Registrant, Level.Alumnus]

/**
 * Which levels a person may give. Nobody is given Inactive, since whoever leaves is deactivated. Super admins give all else;
 * others those from GenericEmployee up to their own, and coordinators and above also Student and Registrant, and Alumnus for a
 * student who leaves.
 */
export const mayGiveLevel = (giver: number, level: number): boolean => {
  if (level === Level.Inactive) return false
  if (level === Level.SuperAdmin || level === Level.Unknown)
    return giver === Level.SuperAdmin && level !== Level.Unknown
  if (giver === Level.SuperAdmin) return true
  if (memberLevels.includes(level)) return giver >= Level.Coord
  return level >= Level.GenericEmployee && level <= giver
}

/** Which levels Add User offers: whoever becomes an alumnus was a student of the program before. */
export const mayAddLevel = (giver: number, level: number): boolean =>
  mayGiveLevel(giver, level) && (giver === Level.SuperAdmin || level !== Level.Alumnus)
