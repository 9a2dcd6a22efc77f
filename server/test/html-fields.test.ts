import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cleanEmail, listEmailTexts, saveEmailText, sendEmails } from '#contract/communication/emails.ts'
import {
  describeMailTemplate,
  getMailTemplate,
  listMailTemplates,
  saveMailTemplate,
} from '#contract/communication/mail-templates.ts'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'
import {
  createEvaluationTemplate,
  getEvaluationTemplate,
  updateEvaluationTemplate,
} from '#contract/evaluations/evaluations.ts'
import { allEndpoints } from '#contract/index.ts'
import { getProgramMenuItem, listProgramMenuItems, saveProgramMenuItem } from '#contract/menus/menus.ts'
import { createAnnouncement, getAnnouncement, updateAnnouncement } from '#contract/news/announcements.ts'
import { createNews, getNews, updateNews } from '#contract/news/news.ts'
import { getEula, saveEula } from '#contract/settings/eula.ts'
import { cleanHtml } from '#server/core/http/html.ts'
import { type MadeProgram, makePerson, makeProgram } from './factories.ts'
import { type Caller, type Installation, startInstallation } from './installation.ts'
import { xssCorpus } from './xss-corpus.ts'

let installation: Installation
let program: MadeProgram
let coordinator: Caller
let superAdmin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())

const nameOf = ({ method, path }: AnyEndpoint): string => `${method} ${path}`

/** Paths of the HTML fields of an endpoint's body. */
const htmlFields = (endpoint: AnyEndpoint): string[] => {
  if (!endpoint.body || endpoint.takes) return []
  const found: string[] = []
  const visit = (node: any, path: string): void => {
    if (node?.format === 'html') found.push(path)
    for (const [name, child] of Object.entries(node?.properties ?? {})) visit(child, `${path}.${name}`)
    for (const child of [node?.items, ...(node?.anyOf ?? []), ...(node?.allOf ?? [])])
      if (child) visit(child, path)
  }
  visit(z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }), nameOf(endpoint))
  return found
}
const fields = allEndpoints.flatMap(htmlFields)

/** For each field: keeps HTML through it as a person would, and answers what is in the database's answer afterwards. */
const template = (Instructions: string) => ({
  Title: 'Template',
  FormTypeId: null,
  EvaluatorRole: 'supervisor' as const,
  SubjectRole: 'student' as const,
  DueRule: 'none' as const,
  Instructions,
})
const testTemplate = async (): Promise<number> =>
  (await superAdmin.ok(listMailTemplates)).find(({ Label }) => Label === 'OTHER_test')!.ID
const keep: Record<string, (html: string) => Promise<string>> = {
  'POST /eula.updatedText': async (html) => {
    await superAdmin.ok(saveEula, { body: { updatedText: toBase64(`<p>x</p>${html}`), isPlaintext: false } })
    const { text } = await superAdmin.ok(getEula)
    // An agreement that is kept would keep everybody from everything else.
    await superAdmin.ok(saveEula, { body: { updatedText: '', isPlaintext: false } })
    return text
  },
  'POST /emails.body': async (html) => {
    const person = await makePerson(installation.owner, Level.SuperAdmin)
    const [status] = await superAdmin.ok(sendEmails, {
      body: {
        sender: 'super@example.org',
        subject: 'x',
        body: toBase64(html),
        individualRecipientUserId: person.Id,
      },
    })
    const { rows } = await installation.owner.query('select html from mail where id = $1', [status!.Id])
    return rows[0].html
  },
  'POST /emails/previews.body': async (html) =>
    (await superAdmin.ok(cleanEmail, { body: { body: toBase64(html) } })).Html,
  'POST /programs/:programId/email-texts.body': async (html) => {
    const params = { programId: program.Id }
    const body = { name: 'Saved', subject: '', body: toBase64(html), replaces: true }
    const { Id: id } = await coordinator.ok(saveEmailText, { params, body })
    return (await coordinator.ok(listEmailTexts, { params })).find(({ Id }) => Id === id)!.Html
  },
  'POST /programs/:programId/announcements.Text': async (html) => {
    const params = { programId: program.Id }
    const body = { Category: 'All' as const, Text: toBase64(`<p>x</p>${html}`) }
    const { Id } = await coordinator.ok(createAnnouncement, { params, body })
    const at = { params: { ...params, announcementId: Id } }
    return (await coordinator.ok(getAnnouncement, at)).Text
  },
  'POST /programs/:programId/announcements/:announcementId.Text': async (html) => {
    const params = { programId: program.Id }
    const body = { Category: 'All' as const, Text: toBase64('<p>x</p>') }
    const { Id } = await coordinator.ok(createAnnouncement, { params, body })
    const at = { params: { ...params, announcementId: Id } }
    await coordinator.ok(updateAnnouncement, { ...at, body: { ...body, Text: toBase64(`<p>x</p>${html}`) } })
    return (await coordinator.ok(getAnnouncement, at)).Text
  },
  'POST /admin-news.Text': async (html) => {
    const body = { Date: '2026-01-01', Text: toBase64(`<p>x</p>${html}`), IsActive: true }
    const { Id } = await superAdmin.ok(createNews, { body })
    return (await superAdmin.ok(getNews, { params: { newsId: Id } })).Text
  },
  'POST /admin-news/:newsId.Text': async (html) => {
    const body = { Date: '2026-01-01', Text: toBase64('<p>x</p>'), IsActive: true }
    const { Id } = await superAdmin.ok(createNews, { body })
    const params = { newsId: Id }
    await superAdmin.ok(updateNews, { params, body: { ...body, Text: toBase64(`<p>x</p>${html}`) } })
    return (await superAdmin.ok(getNews, { params })).Text
  },
  'POST /mail-templates/:templateId/description': async (html) => {
    const params = { templateId: await testTemplate() }
    await superAdmin.ok(describeMailTemplate, { params, body: toBase64(html) })
    return (await superAdmin.ok(getMailTemplate, { params })).Description
  },
  'POST /mail-templates/:templateId.template': async (html) => {
    const params = { templateId: await testTemplate() }
    const body = { subject: 'Subject', template: toBase64(`<p>x</p>${html}`) }
    await superAdmin.ok(saveMailTemplate, { params, body })
    return (await superAdmin.ok(getMailTemplate, { params })).Template
  },
  'POST /mail-templates/:templateId.spanish.template': async (html) => {
    const params = { templateId: await testTemplate() }
    const template = toBase64(`<p>x</p>${html}`)
    const body = { subject: 'Subject', template, spanish: { subject: 'Asunto', template } }
    await superAdmin.ok(saveMailTemplate, { params, body })
    return (await superAdmin.ok(getMailTemplate, { params })).SpanishTemplate
  },
  'POST /programs/:programId/menu-items/:itemId.Directions': async (html) => {
    const params = { programId: program.Id }
    const { Id, LinkOrder, LinkName, Title, AccessLevels } = (
      await coordinator.ok(listProgramMenuItems, { params })
    )[0]!
    const at = { params: { ...params, itemId: Id } }
    const body = { LinkOrder, LinkName, Title, AccessLevels, Directions: toBase64(html) }
    await coordinator.ok(saveProgramMenuItem, { ...at, body: body as never })
    return (await coordinator.ok(getProgramMenuItem, at)).Directions
  },
  'POST /programs/:programId/evaluation-templates.Instructions': async (html) => {
    const params = { programId: program.Id }
    const { Id } = await coordinator.ok(createEvaluationTemplate, { params, body: template(html) as never })
    const at = { params: { ...params, templateId: Id } }
    return (await coordinator.ok(getEvaluationTemplate, at)).Instructions
  },
  'POST /programs/:programId/evaluation-templates/:templateId.Instructions': async (html) => {
    const params = { programId: program.Id }
    const { Id } = await coordinator.ok(createEvaluationTemplate, { params, body: template('') as never })
    const at = { params: { ...params, templateId: Id } }
    await coordinator.ok(updateEvaluationTemplate, { ...at, body: template(html) as never })
    return (await coordinator.ok(getEvaluationTemplate, at)).Instructions
  },
}

const picture = `/new/api/pictures/${'0'.repeat(40)}`
const safeTag =
  /^<\/?(p|br|hr|b|strong|i|em|u|s|sub|sup|mark|code|pre|blockquote|h[1-4]|ul|ol|li|table|thead|tbody|tr|t[hd]|span|div)\s*\/?>$/
const safeLink =
  /^<a( (href="(https?:|mailto:|tel:|\/|#)?[^":<>]*[^"<>]*"|title="[^"<>]*"|rel="noopener noreferrer nofollow"))*>$/
const safePicture = new RegExp(
  `^<img( (src="(/[\\w~.-]+)*${picture.slice(0, -40)}[0-9a-f]{40}"|(alt|width|height)="[^"<>]*"))* ?/>$`,
)

/** Everything that is left of a text as markup must be of these few forms. */
const dangers = (html: string): string[] =>
  (html.match(/<[^>]*>?/g) ?? []).filter(
    (tag) =>
      !(
        safeTag.test(tag) ||
        tag === '</a>' ||
        safePicture.test(tag) ||
        (safeLink.test(tag) && !/script:|data:/i.test(tag))
      ),
  )

test('there are attacks enough, and the check would see them', () => {
  expect(new Set(xssCorpus).size).toBeGreaterThan(150)
  const seen = xssCorpus.filter((attack) => dangers(attack).length > 0)
  // Markup in words only, attributes that merely clobber names, and an address that is text are no danger as they are.
  expect(xssCorpus.length - seen.length).toBeLessThan(30)
})

test('all fields together meet every attack', () => {
  expect(new Set(fields.flatMap(attacksOn)).size).toBe(new Set(xssCorpus).size)
})

test('every HTML field of the contract is cleaned: a new one has to be told here how it is kept', () => {
  expect(fields.length).toBeGreaterThan(0)
  expect(Object.keys(keep).toSorted()).toEqual(fields.toSorted())
})

test.each(xssCorpus)('the allow-list leaves nothing dangerous of %j', (attack) => {
  const once = cleanHtml(attack)
  expect(dangers(once)).toEqual([])
  expect(cleanHtml(once)).toBe(once)
})

const shares = 8

/**
 * What a field is attacked with: a share of the corpus, so that all fields together meet all of it. The cleaning itself is the
 * same one for all of them, and every attack on it is tried above.
 */
const attacksOn = (field: string): string[] =>
  xssCorpus.filter((_attack, index) => index % shares === fields.indexOf(field) % shares)

describe.each(fields)('%s', (field) => {
  test('keeps nothing dangerous of its share of the attacks', async () => {
    const attacks = attacksOn(field)
    expect(attacks.length).toBeGreaterThan(15)
    for (const attack of attacks) expect(dangers(await keep[field]!(attack)), attack).toEqual([])
  }, 60_000)

  test('keeps what people write: headings, lists, tables, links and the installation’s own pictures', async () => {
    const html = `<h2>Title</h2><ul><li><strong>a</strong></li></ul><table><tbody><tr><td colspan="2">x</td></tr></tbody></table><p><img src="${picture}" alt="Map" /></p>`
    expect(await keep[field]!(html)).toContain(html)
    expect(await keep[field]!('<p><a href="https://example.org/a?b=1&amp;c=2">x</a></p>')).toContain(
      '<a href="https://example.org/a?b=1&amp;c=2" rel="noopener noreferrer nofollow">x</a>',
    )
  })
})
