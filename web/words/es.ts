import type { en } from './en.ts'
import { account } from './es/account.ts'
import { call } from './es/call.ts'
import { identity } from './es/identity.ts'
import { shell } from './es/shell.ts'
import { time } from './es/time.ts'
import { ui } from './es/ui.ts'

type Partly<T> = { readonly [K in keyof T]?: T[K] extends string ? string : Partly<T[K]> }

/**
 * The Spanish texts, by the same files and names as the English ones: all of the pages of students, supervisors and graduates, of the
 * entrance and of links (`words-in-spanish.test.ts` says which). What only staff see is missing here, and English.
 */
export const es = {
  account,
  call,
  identity,
  shell,
  time,
  ui,
} satisfies Partly<typeof en>
