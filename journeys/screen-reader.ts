import type { CDPSession, Page } from '@playwright/test'
import { expect } from './support.ts'

/** One thing as a screen reader is told it by the browser's accessibility tree. */
interface Item {
  role: string
  name: string
  /** Such as the message of a field that was filled in wrongly. */
  description: string
  value: string
  /** Such as `checked`, `expanded`, `required`, `invalid`, `disabled`, `focused`. */
  states: Record<string, unknown>
  /** It is spoken when it changes, wherever the reader is. */
  isSpoken: boolean
  node: number
}

type Wanted = readonly [role: string, name: string | RegExp]

const sessions = new WeakMap<Page, Promise<CDPSession>>()
const treeOf = (page: Page): Promise<CDPSession> => {
  const open = async () => {
    const session = await page.context().newCDPSession(page)
    await session.send('Accessibility.enable')
    return session
  }
  const session = sessions.get(page) ?? open()
  sessions.set(page, session)
  return session
}

/** Everything that is read, in its order: of an open dialog when there is one, which keeps the reader in. */
export const read = async (page: Page): Promise<Item[]> => {
  const { nodes } = await (await treeOf(page)).send('Accessibility.getFullAXTree')
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const items: Item[] = []
  let dialog: [from: number, to: number] | undefined
  const walk = (node: (typeof nodes)[number], isWithinSpoken: boolean): void => {
    const states = Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value]))
    const isSpoken = isWithinSpoken || ['polite', 'assertive'].includes(states.live)
    const from = items.length
    if (!node.ignored && node.backendDOMNodeId !== undefined)
      items.push({
        role: node.role?.value ?? '',
        name: node.name?.value ?? '',
        description: node.description?.value ?? '',
        value: node.value?.value ?? '',
        states,
        isSpoken,
        node: node.backendDOMNodeId,
      })
    for (const id of node.childIds ?? []) {
      const child = byId.get(id)
      if (child) walk(child, isSpoken)
    }
    if (states.modal === true) dialog = [from, items.length]
  }
  walk(nodes[0]!, false)
  return dialog ? items.slice(...dialog) : items
}

const isMeant = (item: Item, [role, name]: Wanted): boolean =>
  item.role === role && (typeof name === 'string' ? item.name === name : name.test(item.name))

/** The one thing of this role and name, once it is there. Two alike would leave the reader guessing. */
export const find = async (page: Page, ...wanted: Wanted): Promise<Item> => {
  let found: Item[] = []
  await expect(async () => {
    found = (await read(page)).filter((item) => isMeant(item, wanted))
    expect(
      found.map(({ role, name }) => `${role} ${name}`),
      wanted.join(' '),
    ).toHaveLength(1)
  }).toPass({ timeout: 20_000 })
  return found[0]!
}

/** These come in this order, whatever is between them. */
export const expectInOrder = async (page: Page, wanted: readonly Wanted[]): Promise<void> => {
  await expect(async () => {
    const left = [...wanted]
    const items = await read(page)
    for (const item of items) if (left[0] && isMeant(item, left[0])) left.shift()
    expect(left.map(([role, name]) => `${role} ${name}`)).toEqual([])
  }).toPass({ timeout: 20_000 })
}

/** The keyboard goes to it. */
export const reach = async (page: Page, ...wanted: Wanted): Promise<void> => {
  await expect(async () => {
    const { node } = await find(page, ...wanted)
    await (await treeOf(page)).send('DOM.focus', { backendNodeId: node })
    expect((await find(page, ...wanted)).states.focused, `${wanted.join(' ')} has the focus`).toBe(true)
  }).toPass({ timeout: 20_000 })
}

/** Presses it by the keyboard, as its role is pressed. */
export const press = async (page: Page, ...wanted: Wanted): Promise<void> => {
  await reach(page, ...wanted)
  await page.keyboard.press(['link', 'button'].includes(wanted[0]) ? 'Enter' : 'Space')
}

/** The things of a role that are read below this one, as the answers of a question are, up to the next like it. */
export const below = async (page: Page, role: string, ...wanted: Wanted): Promise<Item[]> => {
  const items = await read(page)
  const from = items.findIndex((item) => isMeant(item, wanted)) + 1
  const next = items.findIndex((item, index) => index >= from && item.role === wanted[0])
  return items.slice(from, next < 0 ? undefined : next).filter((item) => item.role === role)
}

/** The keyboard goes to this one of several alike and presses it. */
export const choose = async (page: Page, { node }: Item): Promise<void> => {
  await (await treeOf(page)).send('DOM.focus', { backendNodeId: node })
  await page.keyboard.press('Space')
}

export const fill = async (page: Page, name: string | RegExp, text: string): Promise<void> => {
  await reach(page, 'textbox', name)
  await page.keyboard.insertText(text)
  const { value } = await find(page, 'textbox', name)
  // Of a password only its length is read.
  expect(value).toBe(value.startsWith('•') ? '•'.repeat(text.length) : text)
}

/** It is spoken without going there. */
export const expectSpoken = async (page: Page, text: string | RegExp): Promise<void> => {
  await expect(async () => {
    const spoken = (await read(page)).filter(({ isSpoken, name }) => isSpoken && name).map(({ name }) => name)
    const all = spoken.join('\n')
    expect(typeof text === 'string' ? all.includes(text) : text.test(all), `${text} in: ${all}`).toBe(true)
  }).toPass({ timeout: 20_000 })
}
