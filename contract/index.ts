import * as areas from './areas.ts'
import type { AnyEndpoint } from './endpoint.ts'
import * as evaluations from './evaluations.ts'
import * as identity from './identity.ts'
import * as imports from './imports.ts'
import * as notifications from './notifications.ts'
import * as people from './people.ts'
import * as programs from './programs.ts'
import * as reports from './reports.ts'
import * as scheduling from './scheduling.ts'
import * as session from './session.ts'
import * as sites from './sites.ts'
import * as terminology from './terminology.ts'
import * as time from './time.ts'

/** Every call of the product by domain: what the server answers, the page describes and the tests loop over. */
export const api = {
  areas,
  evaluations,
  identity,
  imports,
  notifications,
  people,
  programs,
  reports,
  scheduling,
  session,
  sites,
  terminology,
  time,
}

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'endpoint'

export const allEndpoints: readonly AnyEndpoint[] = Object.values(api).flatMap((domain) =>
  Object.values(domain as Record<string, unknown>).filter(isEndpoint),
)
