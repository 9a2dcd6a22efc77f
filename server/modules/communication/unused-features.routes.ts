import { communicationFailures } from '#contract/communication/failures.ts'
import * as contract from '#contract/communication/unused-features.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { termPlaceholders } from '#contract/terminology/terminology.ts'
import { handle } from '#server/core/http/handle.ts'
import { queueTemplatedEmails } from '#server/core/mail/template-emails.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { getTerms } from '../terminology/terminology.queries.ts'
import { listUse, pagePrograms } from './unused-features.across.ts'
import { insertGuideEmails } from './unused-features.commands.ts'
import { awaitMailing, listReaders } from './unused-features.queries.ts'
import { guideOf, guideValues } from './unused-features.rules.ts'

export const unusedFeatureRoutes = [
  handle(contract.listUnusedFeatures, ({ db, query: { page, pageSize, ...filter } }) =>
    pagePrograms(db, filter, { page, pageSize }),
  ),

  handle(contract.listFeatureGuides, async ({ db, params: { programId } }) => {
    const use = await listUse(db, [programId])
    if (use.length === 0) throw fail(coreFailures.no_program)
    const words = termPlaceholders(await getTerms(db, programId))
    const readers = await listReaders(db, programId)
    return {
      Features: use.map(({ feature, is_used, email }) => {
        const { Name, Guide } = guideOf(feature, words)
        return { Feature: feature, Name, Guide, IsUsed: is_used, Email: email }
      }),
      Recipients: readers.map(({ Name }) => Name),
    }
  }),

  handle(
    contract.mailFeatureGuides,
    async ({ db, params: { programId }, body: { Features, Again }, user, services, audit }) => {
      await awaitMailing(db, programId)
      const use = await listUse(db, [programId])
      const program = await findProgramContext(db, programId)
      if (use.length === 0 || !program) throw fail(coreFailures.no_program)
      const chosen = use.filter(({ feature }) => Features.includes(feature))
      const due = chosen.filter(({ is_used, email }) => !is_used && (Again || email === null))
      const Mailed = due.map(({ feature }) => feature)
      const Skipped = chosen.map(({ feature }) => feature).filter((feature) => !Mailed.includes(feature))
      audit.detail = { Mailed, Skipped }
      if (Mailed.length === 0) return { Recipients: 0, Mailed, Skipped }
      const readers = await listReaders(db, programId)
      if (readers.length === 0) throw fail(communicationFailures.no_staff, { Name: program.Name })
      const words = termPlaceholders(await getTerms(db, programId))
      const guides = Mailed.map((feature) => guideOf(feature, words))
      const root = `${services.publicUrl()}${services.config.appRoot}`
      await queueTemplatedEmails(
        db,
        readers.map(({ Id, FirstName, Email }) => ({
          programId,
          accountId: Id,
          label: 'PROGRAM_unused_features',
          recipient: Email,
          values: { 'staff.firstName': FirstName, ...guideValues(guides, root) },
        })),
        { isAsked: true },
      )
      await insertGuideEmails(db, programId, Mailed, { recipients: readers.length, sentBy: user.Id })
      return { Recipients: readers.length, Mailed, Skipped }
    },
  ),
]
