import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Instant, RequiredLine } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'

/** The person of the application state. */
export const StateUser = z.object({
  Id,
  UserName: z.string(),
  Name: z.string(),
  EmailAddress: z.string(),
  AccessLevel: z.number().int(),
  SuperAdminAreas: z.number().int().nullable(),
  HasUnreadRemarks: z.boolean(),
  IsEmailAddressConfirmed: z.boolean(),
  IsDemo: z.boolean(),
  isSuperAdmin: z.boolean(),
})
export type StateUser = z.infer<typeof StateUser>

export const State = z.object({
  User: StateUser,
  CollegeId: Id.nullable(),
  ProgramId: Id.nullable(),
  CollegeName: z.string().nullable(),
  ProgramName: z.string().nullable(),
  /** IANA zone in which the program's days and times are shown. */
  TimeZone: z.string(),
  TemplateId: Id.nullable(),
  IsProgramMenuEnabled: z.boolean(),
  isAdminMenuSemiHidden: z.boolean(),
  /** An administrator who views the product as `User`; null as a rule. */
  Viewer: z.object({ Name: z.string() }).nullable(),
  /** Signed in on a ward computer: the session is short, and the browser keeps nothing. */
  IsShared: z.boolean(),
  /** The address of this call when it may soon be refused (addresses that are treated with Warn); null as a rule. */
  IpWarning: z.string().nullable(),
})
export type State = z.infer<typeof State>

export const getState = endpoint({
  method: 'GET',
  path: '/state',
  may: 'signed-in',
  duringStep: true,
  summary: 'The application state of the signed-in person',
  answer: State,
})

export const saveState = endpoint({
  method: 'POST',
  path: '/state',
  may: 'signed-in',
  summary: 'Choose college and program, and how the menu is shown',
  body: z.strictObject({
    // The state object as it was read may come back whole; the person in it changes nothing.
    User: z.looseObject({}).optional(),
    Viewer: z.looseObject({}).nullish(),
    IpWarning: z.string().nullish(),
    IsShared: z.boolean().optional(),
    CollegeName: z.string().nullish(),
    ProgramName: z.string().nullish(),
    TimeZone: z.string().optional(),
    CollegeId: Id.nullish(),
    ProgramId: Id.nullish(),
    TemplateId: Id.nullish(),
    IsProgramMenuEnabled: z.boolean().optional(),
    isAdminMenuSemiHidden: z.boolean().optional(),
  }),
  answer: z.object({
    ProgramOptionsLegacyData: z.string(),
    ProgramOptionsData: z.string(),
    GlobalSettings: z.string(),
  }),
  errors: { 404: 'the program does not exist or not yours' },
})

export const getGlobals = endpoint({
  method: 'GET',
  path: '/globals',
  may: 'signed-in',
  summary: 'What the front-end reads at its start',
  answer: z.object({
    AppUrl: z.string(),
    CookieDomain: z.string(),
    AppVersion: z.string(),
    ProgramOptionsData: z.string(),
    ProgramOptionsLegacyData: z.string(),
    GlobalSettings: z.string(),
    AccessLevel: z.number().int(),
    ModBy: z.string(),
    IsSysAdmin: z.boolean(),
    SuperAdminAreas: z.number().int().nullable(),
    ServerTimeoutWarningMinutes: z.number().int(),
    MapTilesUrl: z.string().nullable(),
    /** The script of the help chat; null for those who have none. */
    HelpChatUrl: z.string().nullable(),
    IsDemoInstallation: z.boolean(),
    /** For staff: the moment of the backup that this installation was restored from, until it is said to be the real one. */
    CopyOf: Instant.nullable(),
  }),
})

export const getResources = endpoint({
  method: 'POST',
  path: '/resources',
  may: 'signed-in',
  changes: false,
  summary: 'Which of the named scripts and styles a page has to load',
  body: z.strictObject({
    Scripts: z.array(RequiredLine(255)).max(100).default([]),
    Styles: z.array(RequiredLine(255)).max(100).default([]),
  }),
  answer: z.object({ Styles: z.array(z.string()), Scripts: z.array(z.string()) }),
})

/** An item of the left menu; items below an item have none below themselves. */
export const MenuItem = z.object({
  Id: z.number(),
  Name: z.string(),
  Url: z.string(),
  PageKey: z.string(),
  /** How much work waits behind it. */
  Count: z.number().int().optional(),
  get SubMenuItems(): z.ZodArray<typeof MenuItem> {
    return z.array(MenuItem)
  },
})
export type MenuItem = z.infer<typeof MenuItem>

export const getLeftMenu = endpoint({
  method: 'GET',
  path: '/left-menu',
  may: 'admin-shell.use',
  summary: 'The left menu of the admin shell',
  answer: z.object({ Items: z.array(MenuItem) }),
})

export const getAdminData = endpoint({
  method: 'GET',
  path: '/admin-data',
  may: 'admin-shell.use',
  summary: 'What the top bar of the admin shell shows',
  answer: z.object({
    Path: z.string(),
    Machine: z.string(),
    WelcomeText: z.string(),
    AdminUserName: z.string(),
    CurrentDate: z.string(),
    /** Super admins only: people active in the last 15 minutes, those of today, and all students. */
    OnlineUsers: z.number().int().nullable(),
    DailyUsers: z.number().int().nullable(),
    TotalStudents: z.number().int().nullable(),
    /** An exempt arrangement of the program whose evidence the person was not asked for yet. */
    NewArrangementId: Id.nullable(),
  }),
})

export const getNonAdminData = endpoint({
  method: 'GET',
  path: '/non-admin-data',
  may: 'signed-in',
  summary: 'What the shell of students and other members shows',
  answer: z.object({
    HasMissedEvaluations: z.boolean(),
    /** Minutes until an idle session ends. */
    Timeout: z.number().int(),
    AppName: z.string(),
    ProgramName: z.string(),
    UserName: z.string(),
    IsEmailAddressConfirmed: z.boolean(),
    HelpLink: z.string(),
    NotificationCount: z.number().int(),
  }),
})

export const getProgramMenu = endpoint({
  method: 'GET',
  path: '/programs/:programId/menu',
  may: 'signed-in',
  summary: "The side menu of the program's members",
  params: InProgram,
  answer: z.array(z.object({ Name: z.string(), Url: z.string(), IconClasses: z.string() })),
})

/** Where a person lands after signing in: staff in the admin home, everyone else on the index page. */
export const homePath = (accessLevel: number): '/new/admin/home' | '/new/' =>
  accessLevel >= Level.Faculty ? '/new/admin/home' : '/new/'
