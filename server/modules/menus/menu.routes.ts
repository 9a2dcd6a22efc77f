import { coreFailures } from '#contract/core/failures.ts'
import { Level } from '#contract/core/levels.ts'
import type { Language } from '#contract/language/language.ts'
import { menuFailures } from '#contract/menus/failures.ts'
import * as contract from '#contract/menus/menus.ts'
import { progTypesOf, typesOf } from '#contract/menus/menus-rules.ts'
import { getLeftMenu, getProgramMenu } from '#contract/session/session.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { cleanBase64Html } from '#server/core/http/html.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { setMenuVisible } from '../programs/programs.commands.ts'
import { readsDeclarations } from '../safety/safety.queries.ts'
import { getTerms } from '../terminology/terminology.queries.ts'
import { insertMenuItems, saveNodes, saveProgramItem, saveProgTypes } from './menu.commands.ts'
import {
  findMenuSettings,
  listDecisions,
  listProgramTypeIds,
  type ProgramMenuSettings,
} from './menu.queries.ts'
import {
  accessOf,
  accessToKeep,
  allItems,
  asTheyMay,
  catalogue,
  customMenu,
  type Item,
  inLanguage,
  isOfPrograms,
  leftMenu,
  type MenuOf,
  memberMenu,
  named,
  pageNotes,
} from './menu.rules.ts'

/** The menu of a program as its people see it; without a program, and for super admins, as the product has it. */
const menuOf = async (
  db: Db,
  programId: number | null,
  isOwn: boolean,
  who: User,
  language: Language = 'en',
): Promise<MenuOf & { items: Item[] }> => {
  const settings = isOwn ? await findMenuSettings(db, programId) : undefined
  const kept = await listDecisions(db, settings?.IsVisible ? programId : null)
  return {
    items: named(
      inLanguage(asTheyMay(allItems(kept), who), language),
      await getTerms(db, programId, language),
    ),
    ProgramTypeId: settings?.ProgramTypeId ?? null,
    Nodes: settings?.IsVisible ? settings.Nodes : null,
  }
}

const declarations = '/new/admin/safety/declarations'

/** Whether somebody reads declarations is decided by person, not by level: others' menus do not lead there. */
const withoutForeign = async (
  db: Db,
  programId: number | null,
  user: { Id: number; AccessLevel: number },
  items: Item[],
): Promise<Item[]> =>
  programId === null || user.AccessLevel < Level.Faculty || (await readsDeclarations(db, programId, user))
    ? items
    : items.filter(({ PageUrl }) => PageUrl !== declarations)

/** All items, in the words of the program that is worked on. */
const listAdminMenuItems = async (db: Db, programId: number | null): Promise<contract.AdminMenuItem[]> => {
  const items = named(allItems(await listDecisions(db, null)), await getTerms(db, programId))
  return items
    .filter(({ IsMenuItem }) => IsMenuItem)
    .map(({ Id, LinkName, LinkLevel, ProgTypes }) => ({ Id, LinkName, LinkLevel, ProgTypes }))
}

/** The items that a program may change, in its words and as it changed them. */
const programItems = async (db: Db, programId: number): Promise<Item[]> =>
  named(allItems(await listDecisions(db, programId)), await getTerms(db, programId)).filter(isOfPrograms)

const asAnswer = (item: Item): contract.ProgramMenuItem => ({ ...item, AccessLevels: accessOf(item) })

const getItem = async (db: Db, programId: number, itemId: number): Promise<Item> => {
  const item = (await programItems(db, programId)).find(({ Id }) => Id === itemId)
  if (!item) throw fail(menuFailures.no_menu_item)
  return item
}

const getSettings = async (db: Db, programId: number): Promise<ProgramMenuSettings> => {
  const settings = await findMenuSettings(db, programId)
  if (!settings) throw fail(coreFailures.no_program)
  return settings
}

const getCustomMenu = async (db: Db, programId: number): Promise<contract.CustomMenu> =>
  customMenu(await getSettings(db, programId), await programItems(db, programId))

const refuseStale = (isSaved: boolean): void => {
  if (!isSaved) throw fail(menuFailures.stale)
}

export const menuRoutes = [
  handle(contract.listAdminMenuItems, ({ db, session }) => listAdminMenuItems(db, session.programId)),

  handle(contract.saveAdminMenuItems, async ({ db, body, user, session, audit }) => {
    const known = new Set(catalogue.filter(({ IsMenuItem }) => IsMenuItem).map(({ Id }) => Id))
    const unknown = body.find(({ Id }) => !known.has(Id))
    if (unknown) throw fail(menuFailures.unknown_item, { Id: unknown.Id })
    const types = await listProgramTypeIds(db)
    const changes = body.map(({ Id, ProgTypes }) => {
      const chosen = typesOf(ProgTypes) ?? new Set(types)
      const strange = [...chosen].find((id) => id !== 0 && !types.includes(id))
      if (strange !== undefined) throw fail(menuFailures.unknown_type, { Type: strange })
      return { Id, ProgTypes: progTypesOf(chosen, types) }
    })
    await insertMenuItems(
      db,
      catalogue.map(({ Id }) => Id),
    )
    await saveProgTypes(db, changes, user.Id)
    audit.detail = { Items: changes }
    return listAdminMenuItems(db, session.programId)
  }),

  handle(contract.listProgramMenuItems, async ({ db, params }) =>
    (await programItems(db, params.programId)).map(asAnswer),
  ),

  handle(contract.getProgramMenuItem, async ({ db, params }) =>
    asAnswer(await getItem(db, params.programId, params.itemId)),
  ),

  handle(contract.saveProgramMenuItem, async ({ db, params: { programId, itemId }, body, user, audit }) => {
    const before = await getItem(db, programId, itemId)
    const items = named(allItems(await listDecisions(db, null)), await getTerms(db, programId))
    // The item was found in the same list above.
    const usual = items.find(({ Id }) => Id === itemId)!
    const Directions = cleanBase64Html(body.Directions)
    await insertMenuItems(
      db,
      catalogue.map(({ Id }) => Id),
    )
    await saveProgramItem(db, programId, itemId, {
      link_order: before.IsMenuItem ? body.LinkOrder : before.LinkOrder,
      link_name: body.LinkName === usual.LinkName ? null : body.LinkName,
      title: body.Title,
      access_levels: accessToKeep(before, body.AccessLevels),
      directions: Directions,
      updated_by: user.Id,
    })
    audit.detail = { Before: asAnswer(before), After: { ...body, Directions } }
    return asAnswer(await getItem(db, programId, itemId))
  }),

  handle(contract.getMenuVisibility, async ({ db, params }) => ({
    Value: (await getSettings(db, params.programId)).IsVisible,
  })),

  handle(contract.saveMenuVisibility, async ({ db, params, query, user, audit }) => {
    await getSettings(db, params.programId)
    await setMenuVisible(db, params.programId, user.Id, query.value)
    audit.detail = { IsVisible: query.value }
    return { Value: query.value }
  }),

  handle(contract.listPageNotes, async ({ db, params, user }) => {
    const settings = await getSettings(db, params.programId)
    return settings.IsVisible ? pageNotes(await programItems(db, params.programId), user) : []
  }),

  handle(contract.getCustomMenu, ({ db, params }) => getCustomMenu(db, params.programId)),

  handle(contract.saveCustomMenu, async ({ db, params: { programId }, body, user, audit }) => {
    const { Items } = await getCustomMenu(db, programId)
    const pages = new Map(Items.map((item) => [item.Id, item]))
    const nodes = new Map(body.Nodes.map((node) => [node.Key, node]))
    for (const { Key, Kind, ItemId, ParentKey } of body.Nodes) {
      // A page always names its item.
      if (Kind === 'page' && !pages.has(ItemId!)) throw fail(menuFailures.unknown_page, { Key })
      const above = ParentKey === null ? undefined : nodes.get(ParentKey)
      // A page always names its item.
      if (above?.Kind === 'page' && !pages.get(above.ItemId!)?.HasItems)
        throw fail(menuFailures.below_page, { Key })
    }
    refuseStale(await saveNodes(db, programId, body.Version, body.Nodes, user.Id))
    audit.detail = { Nodes: body.Nodes.length }
    return getCustomMenu(db, programId)
  }),

  handle(contract.removeCustomMenu, async ({ db, params: { programId }, query, user, audit }) => {
    const before = await getSettings(db, programId)
    refuseStale(await saveNodes(db, programId, query.Version, null, user.Id))
    audit.detail = { Before: before.Nodes }
    return getCustomMenu(db, programId)
  }),

  handle(getLeftMenu, async ({ db, user, session: current }) => {
    const asProgram = user.isSuperAdmin && current.isProgramMenuEnabled
    const menu = await menuOf(db, current.programId, asProgram || !user.isSuperAdmin, user)
    const level = asProgram ? Level.Admin : user.AccessLevel
    const items = await withoutForeign(db, current.programId, { Id: user.Id, AccessLevel: level }, menu.items)
    return {
      Items: leftMenu(items, { AccessLevel: level, SuperAdminAreas: user.SuperAdminAreas }, menu),
    }
  }),

  handle(getProgramMenu, async ({ db, user, params, language }) => {
    const menu = await menuOf(db, params.programId, true, user, language)
    return memberMenu(menu.items, user, menu)
  }),
]
