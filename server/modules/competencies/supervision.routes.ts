import { competencyFailures } from '#contract/competencies/failures.ts'
import * as contract from '#contract/competencies/supervision.ts'
import { formatDate } from '#contract/core/calendar.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import { seal, unseal } from '#server/core/auth/seal.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { endLink, insertLink } from './supervision.commands.ts'
import {
  findPlace,
  findSealed,
  findSiteName,
  findSupervisionLink,
  listPresent,
  listSupervised,
  type Of,
  supervisionContext,
} from './supervision.queries.ts'

const urlOf = (services: Services, token: string): string =>
  `${services.publicUrl()}${services.config.appRoot}/new/supervision/${token}`

/** The address of a page that was made before; null without one, or where it was sealed under another key. */
const readUrl = async (db: Db, services: Services, of: Of): Promise<string | null> => {
  const sealed = await findSealed(db, of)
  if (sealed === undefined) return null
  try {
    return urlOf(services, unseal(services.config.secretKey, supervisionContext(of), sealed))
  } catch {
    return null
  }
}

const renew = async (db: Db, services: Services, of: Of, by: number): Promise<{ Url: string }> => {
  const token = newToken()
  await insertLink(db, {
    ...of,
    hash: hashToken(token),
    sealed: seal(services.config.secretKey, supervisionContext(of), token),
    by,
  })
  return { Url: urlOf(services, token) }
}

const refuseSite = async (db: Db, programId: number, siteId: number): Promise<string> => {
  const name = await findSiteName(db, programId, siteId)
  if (name === undefined) throw fail(siteFailures.no_site)
  return name
}

const withoutId = ({ Name, Studies }: contract.Supervised): contract.Supervised => ({ Name, Studies })

export const supervisionRoutes = [
  handle(contract.getSupervision, async ({ db, params, services, from }) => {
    await throttle(services.pool, [
      { key: `supervision:address:${from.address}`, max: 600, windowSeconds: quarterHour },
    ])
    const link = await findSupervisionLink(db, hashToken(params.token))
    const place = link && (await findPlace(db, link.programId, link.siteId))
    if (!link || !place || (link.siteId !== null && place.site === null))
      throw fail(competencyFailures.code_over)
    const studentIds =
      link.siteId === null
        ? [link.studentId ?? 0]
        : await listPresent(db, link.programId, link.siteId, place.today)
    const students = await listSupervised(db, link.programId, studentIds)
    return {
      Program: place.program,
      Site: place.site,
      Day: formatDate(place.today),
      Students: students.map(withoutId),
    }
  }),

  handle(contract.getOwnSupervisionLink, async ({ db, user, services }) => {
    // The account of a student always has a program.
    const of = { programId: user.ProgramId!, siteId: null, studentId: user.Id }
    const [own] = await listSupervised(db, of.programId, [user.Id])
    return {
      Url: await readUrl(db, services, of),
      Supervised: own ? withoutId(own) : { Name: user.Name, Studies: [] },
    }
  }),

  handle(contract.renewOwnSupervisionLink, async ({ db, user, services, audit }) => {
    audit.subjectId = user.Id
    // The account of a student always has a program.
    return renew(db, services, { programId: user.ProgramId!, siteId: null, studentId: user.Id }, user.Id)
  }),

  handle(contract.getSiteSupervisionLink, async ({ db, params: { programId, siteId }, services }) => {
    const Site = await refuseSite(db, programId, siteId)
    return { Site, Url: await readUrl(db, services, { programId, siteId, studentId: null }) }
  }),

  handle(
    contract.renewSiteSupervisionLink,
    async ({ db, params: { programId, siteId }, user, services, audit }) => {
      audit.detail = { Site: await refuseSite(db, programId, siteId) }
      return renew(db, services, { programId, siteId, studentId: null }, user.Id)
    },
  ),

  handle(contract.endSiteSupervisionLink, async ({ db, params: { programId, siteId }, audit }) => {
    audit.detail = { Site: await refuseSite(db, programId, siteId) }
    if (!(await endLink(db, { programId, siteId, studentId: null }))) throw fail(competencyFailures.no_page)
  }),
]
