import { getHelpChatToken } from '#contract/session/help-chat.ts'
import { handle } from '#server/core/http/handle.ts'
import { Failure } from '#server/core/runtime/failure.ts'
import { helpChatToken } from './help-chat.rules.ts'

export const helpChatRoutes = [
  handle(getHelpChatToken, async ({ user, session, services }) => {
    const { zendesk } = services.config
    if (!zendesk) throw new Failure(404, 'not_found', 'This installation has no help chat.')
    // What the help desk hears would come in the name of somebody else.
    if (session.viewer)
      throw new Failure(
        403,
        'viewing',
        `You are viewing as ${user.Name}. Stop viewing to open the help chat.`,
      )
    return { Token: helpChatToken(zendesk, user, Math.floor(Date.now() / 1_000)) }
  }),
]
