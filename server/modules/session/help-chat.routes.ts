import { sessionFailures } from '#contract/session/failures.ts'
import { getHelpChatToken } from '#contract/session/help-chat.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { helpChatToken } from './help-chat.rules.ts'

export const helpChatRoutes = [
  handle(getHelpChatToken, async ({ user, session, services }) => {
    const { zendesk } = services.config
    if (!zendesk) throw fail(sessionFailures.no_help_chat)
    // What the help desk hears would come in the name of somebody else.
    if (session.viewer) throw fail(sessionFailures.viewing, { Name: user.Name })
    return { Token: helpChatToken(zendesk, user, Math.floor(Date.now() / 1_000)) }
  }),
]
