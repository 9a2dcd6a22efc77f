import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isStaffAddress } from '#contract/core/pages.ts'
import { may } from '#contract/core/permissions.ts'
import type { Language } from '#contract/language/language.ts'
import { listPageNotes } from '#contract/menus/menus.ts'
import { getAdminData, getGlobals, getLeftMenu, getState } from '#contract/session/session.ts'
import { getTerms } from '#contract/terminology/terminology.ts'
import type { SignedIn } from '#server/core/auth/session.ts'

/** The part of the page that the browser reads them from. */
const elementId = 'answers'

/** Of one answer, in characters. Directions may be of any length: the browser asks for longer ones itself, once for all pages. */
const longestAnswer = 60_000

/**
 * What every page of a signed-in person begins with, as the browser keeps what it read: pairs of a call with its input, and the
 * answer. They come through the calls themselves, so that rights, shapes and figures are the same. Pages of staff have the menu
 * and the top bar besides, and pages of a program its own titles and directions: what came later moved everything below it.
 */
const readAnswers = async (
  app: FastifyInstance,
  request: FastifyRequest,
  base: string,
  { session, user }: SignedIn,
  { path, language }: { path: string; language: Language },
): Promise<[key: readonly unknown[], answer: unknown][]> => {
  const programId = session.programId ?? (user.isSuperAdmin ? null : user.ProgramId)
  const params = { programId: programId ?? 0 }
  const ofFrame = isStaffAddress(path) && may(user, 'admin-shell.use') ? [getLeftMenu, getAdminData] : []
  // While a step waits, no other call is answered.
  const ofPerson = session.step ? [getState] : [getState, getGlobals, ...ofFrame]
  const calls = [
    ...ofPerson.map((call) => ({ key: [call.path, {}], address: call.path })),
    ...(session.step || programId === null
      ? []
      : [getTerms, listPageNotes].map(({ path: call }) => ({
          key: [call, { params }],
          address: call.replace(':programId', String(programId)),
        }))),
  ]
  const answers = await Promise.all(
    calls.map(async ({ key, address }) => {
      const reply = await app.inject({
        method: 'GET',
        url: `${base}/api${address}`,
        headers: {
          cookie: request.headers.cookie ?? '',
          'user-agent': request.headers['user-agent'] ?? '',
          'x-language': language,
        },
        remoteAddress: request.ip,
      })
      // What is not there the browser asks for itself, and tells what is wrong.
      return reply.statusCode === 200 && reply.payload.length <= longestAnswer
        ? [[key, reply.json()] as [readonly unknown[], unknown]]
        : []
    }),
  )
  return answers.flat()
}

/**
 * Writes the first answers into the page, so that no call is between it and its words: as data, which the content
 * security policy lets be, because no browser runs it.
 */
export const withAnswers = async (
  app: FastifyInstance,
  request: FastifyRequest,
  base: string,
  signedIn: SignedIn,
  { html, path, language }: { html: string; path: string; language: Language },
): Promise<string> => {
  const answers = await readAnswers(app, request, base, signedIn, { path, language })
  // Nothing inside can end the element or begin a comment.
  const text = JSON.stringify(answers).replaceAll('<', '\\u003c')
  return html.replace(
    '</head>',
    () => `<script type="application/json" id="${elementId}">${text}</script></head>`,
  )
}
