import { pageAt } from '#contract/core/pages.ts'
import { reportBrowserError } from '#contract/session/browser-errors.ts'
import { handle } from '#server/core/http/handle.ts'
import { createBudget, nameOf } from './browser-errors.rules.ts'

const admit = createBudget()

export const browserErrorRoutes = [
  handle(reportBrowserError, async ({ body: { Kind, Message, Page, Places }, services }) => {
    const error = admit(nameOf(Kind, pageAt(Page)?.path ?? 'unknown page', Places), Date.now())
    if (!error) return
    services.failures.add('browser', error.name)
    if (error.isNew) services.log.warn({ browserError: { Message, Places } }, `A page broke: ${error.name}`)
  }),
]
