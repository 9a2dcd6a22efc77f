import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Base64Html, Id, InProgram, Line, RequiredLine, Small, toBase64 } from '#contract/core/fields.ts'
import { Level, levelLabel, levels } from '#contract/core/levels.ts'
import { mayStandIn, menuDepth } from './menus-rules.ts'

/** An item of the left menu against the types of programs that see it. */
export const AdminMenuItem = z.object({
  Id,
  LinkName: z.string(),
  /** 0 at the top, 1 below an item, and so on: how far it is indented. */
  LinkLevel: z.number().int(),
  /** Ids of program types, by commas; empty means all types, '0' none. */
  ProgTypes: z.string(),
})
export type AdminMenuItem = z.infer<typeof AdminMenuItem>

export const listAdminMenuItems = endpoint({
  method: 'GET',
  path: '/admin-menu-items',
  may: 'menus.visibility',
  summary: 'All menu items with the types of programs that see them',
  answer: z.array(AdminMenuItem),
})

export const saveAdminMenuItems = endpoint({
  method: 'POST',
  path: '/admin-menu-items',
  may: 'menus.set-visibility',
  summary: 'Set which types of programs see which menu items',
  body: z
    .array(
      z.strictObject({
        Id,
        ProgTypes: z
          .string()
          .max(4_000)
          .regex(/^(\d{1,15}(,\d{1,15})*)?$/, 'must be ids separated by commas'),
      }),
    )
    .max(1_000),
  answer: z.array(AdminMenuItem),
  errors: { 422: 'an item or a type does not exist' },
})

/** The levels that a menu item can be opened to: all but CCUnderHood, who goes with the supervisors. */
export const menuLevels: readonly { Id: Level; Name: string }[] = levels
  .filter(({ Id }) => Id !== Level.CCUnderHood)
  .map(({ Id }) => ({ Id, Name: levelLabel(Id) }))

/** A menu item as a program sees it and may change it for itself. */
export const ProgramMenuItem = z.object({
  Id,
  LinkOrder: z.number().int(),
  PageUrl: z.string(),
  /** The menu text, in the words of the program. */
  LinkName: z.string(),
  /** The page's title in this program; '' leaves the page its own. */
  Title: z.string(),
  /** The levels whose menu shows it, among those that have the right to the page. */
  AccessLevels: z.array(z.number().int()),
  /** HTML, shown under the page's title. */
  Directions: z.string(),
  /** False for pages that are in no menu: they have title and directions, and no order. */
  IsMenuItem: z.boolean(),
  LinkLevel: z.number().int(),
})
export type ProgramMenuItem = z.infer<typeof ProgramMenuItem>

const oneItem = z.strictObject({ programId: Id, itemId: Id })

/** 0 to 9999; as text at most 50 characters. */
const LinkOrder = z
  .union([
    z.number(),
    z
      .string()
      .max(50, 'can have at most 50 characters')
      .regex(/^\s*\d+\s*$/, 'must be a whole number from 0 to 9999')
      .transform(Number),
  ])
  .pipe(
    z
      .number()
      .int('must be a whole number from 0 to 9999')
      .min(0, 'must be a whole number from 0 to 9999')
      .max(9_999, 'must be a whole number from 0 to 9999'),
  )

export const ProgramMenuItemInput = z.strictObject({
  LinkOrder,
  LinkName: RequiredLine(50),
  Title: Line(200),
  AccessLevels: z
    .array(Small)
    .max(20)
    .refine(
      (ids) => ids.every((id) => menuLevels.some((level) => level.Id === id)),
      'must be levels of the list',
    ),
  /** UTF-8 HTML in base64. */
  Directions: Base64Html,
})

export const listProgramMenuItems = endpoint({
  method: 'GET',
  path: '/programs/:programId/menu-items',
  may: 'menus.manage',
  summary: 'The menu items and pages of a program',
  params: InProgram,
  answer: z.array(ProgramMenuItem),
})

export const getProgramMenuItem = endpoint({
  method: 'GET',
  path: '/programs/:programId/menu-items/:itemId',
  may: 'menus.manage',
  summary: 'One menu item of a program',
  params: oneItem,
  answer: ProgramMenuItem,
})

export const saveProgramMenuItem = endpoint({
  method: 'POST',
  path: '/programs/:programId/menu-items/:itemId',
  may: 'menus.manage',
  summary: 'Change order, text, title, access and directions of a menu item for one program',
  params: oneItem,
  body: ProgramMenuItemInput,
  answer: ProgramMenuItem,
  basis: {
    read: getProgramMenuItem,
    elsewhere: { Directions: ({ Directions }: ProgramMenuItem) => toBase64(Directions) },
  },
})

const Visibility = z.object({ Value: z.boolean() })

export const getMenuVisibility = endpoint({
  method: 'GET',
  path: '/programs/:programId/edit-menu-items',
  may: 'menus.manage',
  summary: "Whether the program's people see its own menu (Visible To Program)",
  params: InProgram,
  answer: Visibility,
})

export const saveMenuVisibility = endpoint({
  method: 'POST',
  path: '/programs/:programId/edit-menu-items',
  may: 'menus.manage',
  summary: "Show the program's people its own menu, or the usual one",
  params: InProgram,
  query: z.strictObject({ value: z.boolean() }),
  answer: Visibility,
})

/** Title and directions that the program gave to a page. */
export const listPageNotes = endpoint({
  method: 'GET',
  path: '/programs/:programId/page-notes',
  may: 'signed-in',
  summary: 'Titles and directions that the program gave to its pages',
  params: InProgram,
  answer: z.array(z.object({ Url: z.string(), Title: z.string(), Directions: z.string() })),
})

/**
 * An entry of the Custom Admin Menu. The entries are in the order of the menu, each after the one it belongs to:
 * a page of the product, a category, or a link of the program's own.
 */
export const MenuNode = z.strictObject({
  Key: RequiredLine(40),
  ParentKey: Line(40).nullable(),
  Kind: z.enum(['page', 'category', 'link']),
  /** Of pages only. */
  ItemId: Id.nullable(),
  /** '' leaves a page its usual name. */
  Name: Line(50),
  /** Of links only: https, or a page of the product. */
  Url: Line(255).pipe(
    z.string().regex(/^(https:\/\/[^\s/]+\.[^\s]+|\/new\/[^\s]*)?$/, 'must begin with https:// or /new/'),
  ),
  IsHidden: z.boolean(),
})
export type MenuNode = z.infer<typeof MenuNode>

export const CustomMenu = z.object({
  /** Counts the changes; who saves names the one they saw. */
  Version: z.number().int(),
  IsCustomized: z.boolean(),
  Nodes: z.array(MenuNode),
  /** The pages that nodes refer to. */
  Items: z.array(
    z.object({
      Id,
      LinkName: z.string(),
      PageUrl: z.string(),
      /** '#': opens a submenu. */ HasItems: z.boolean(),
    }),
  ),
})
export type CustomMenu = z.infer<typeof CustomMenu>

export const getCustomMenu = endpoint({
  method: 'GET',
  path: '/programs/:programId/custom-menu',
  may: 'menus.manage',
  summary: "The program's admin menu as a tree",
  params: InProgram,
  answer: CustomMenu,
})

const stale = { 409: 'someone else has saved the menu in the meantime' } as const

export const saveCustomMenu = endpoint({
  method: 'POST',
  path: '/programs/:programId/custom-menu',
  may: 'menus.manage',
  summary: "Save the program's admin menu whole",
  params: InProgram,
  body: z.strictObject({
    Version: z.number().int().nonnegative(),
    Nodes: z
      .array(MenuNode)
      .max(300)
      .superRefine((nodes, context) => {
        const problem = mayStandIn(nodes)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      }),
  }),
  answer: CustomMenu,
  errors: {
    ...stale,
    422: `an entry names a page that does not exist, or stands more than ${menuDepth} deep`,
  },
})

export const removeCustomMenu = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/custom-menu',
  may: 'menus.manage',
  summary: 'Remove all customizations of the admin menu',
  params: InProgram,
  query: z.strictObject({ Version: z.number().int().nonnegative() }),
  answer: CustomMenu,
  errors: stale,
})
