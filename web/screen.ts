import type { ReactNode } from 'react'
import type { PagePath } from '#contract/core/pages.ts'

/** The code of a page, loaded when it is opened. */
export interface Screen {
  /** Loads the module; the page is its export of this name. */
  load: () => Promise<Record<string, (props: { children?: ReactNode }) => ReactNode>>
  name: string
  /** Calls that the page makes first, below `/new/api`: they are sent before its code has come. */
  reads: readonly string[]
}

/** A screen of the tables, whose module has an export of this name. */
export const screen = <N extends string>(
  load: () => Promise<{ [Name in N]: (props: { children?: ReactNode }) => ReactNode }>,
  name: N,
  reads: readonly string[] = [],
): Screen => ({ load, name, reads })

/** Every page of the table (`contract/core/pages.ts`) but the login page, which `main.ts` brings. */
export type AnyPath = Exclude<PagePath, 'login'>
/** Pages at the addresses of staff: their code is in `staff-pages.ts`, that of the others in `own-pages.ts`. */
export type StaffPath = Extract<AnyPath, `admin/${string}`>
export type OwnPath = Exclude<AnyPath, StaffPath>
