import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'

export const getHelpChatToken = endpoint({
  method: 'GET',
  path: '/v1/auth/zendesk-token',
  may: 'help-chat.use',
  summary: 'A token that tells the help chat who is asking; it lives 10 minutes',
  answer: z.object({ Token: z.string() }),
  errors: {
    403: 'from coordinators up, and while viewing as someone else',
    404: 'there is no help chat here',
  },
})
