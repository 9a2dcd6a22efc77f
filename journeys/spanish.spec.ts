import { type BrowserContext, expect, type Page } from '@playwright/test'
import { en } from '#web/words/en.ts'
import { es } from '#web/words/es.ts'
import { expectAccessible, phone, signIn, plainTest as test, url } from './support.ts'

type Nested = { readonly [name: string]: string | Nested }
const textsOf = (catalogue: Nested): string[] =>
  Object.values(catalogue).flatMap((text) => (typeof text === 'string' ? [text] : textsOf(text)))

const spanish = new Set(textsOf(es))
const lettersOf = (text: string): string => text.replace(/\{\w+\}/g, '').trim()
const english = textsOf(en).filter((text) => !spanish.has(text) && /[a-z]{2}/i.test(lettersOf(text)))
const plain = new Set(english.filter((text) => !text.includes('{')))
/** Texts with something filled in; short ones would fit any name of the demo. */
const patternsOf = (texts: Iterable<string>): RegExp[] =>
  [...texts]
    .filter((text) => text.includes('{') && (lettersOf(text).match(/[a-z]{3,}/gi)?.length ?? 0) > 1)
    .map((text) => {
      const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      return new RegExp(`^${parts.join('.+?')}$`)
    })
const [englishPatterns, spanishPatterns] = [patternsOf(english), patternsOf(spanish)]
const fits = (text: string, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => pattern.test(text))

/** Data of the demo that happen to be texts of the product. */
const data = new Set([
  'Practicum',
  'Background check',
  'Confidentiality agreement',
  'Incident report',
  'Clear',
  'Level 1',
  'Level 2',
])

/** What a person sees or hears on the page: texts, and the names of what has none. */
const shownOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { parentElement, textContent } = texts.currentNode
      if (parentElement?.closest('script, style, [lang="en"]')) continue
      found.push(textContent ?? '')
    }
    for (const name of ['aria-label', 'placeholder', 'title'])
      for (const element of document.querySelectorAll(`[${name}]`))
        found.push(element.getAttribute(name) ?? '')
    return found.map((text) => text.trim()).filter(Boolean)
  })

const expectNoEnglish = async (page: Page): Promise<void> => {
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  const left = (await shownOn(page)).filter(
    (text) =>
      !data.has(text) && (plain.has(text) || (fits(text, englishPatterns) && !fits(text, spanishPatterns))),
  )
  expect([...new Set(left)], page.url()).toEqual([])
}

let context: BrowserContext
let page: Page

test.beforeEach(async ({ browser }) => {
  context = await browser.newContext({ locale: 'es-US', viewport: phone, serviceWorkers: 'block' })
  page = await context.newPage()
})
test.afterEach(() => context?.close())

/** Walks pages, each of which shows its Spanish heading before it is read. */
const walk = async (pages: readonly (readonly [path: string, heading: string | RegExp])[]): Promise<void> => {
  for (const [path, heading] of pages) {
    await page.goto(url(path))
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
    await expectNoEnglish(page)
  }
}

test('a browser that prefers Spanish gets the entrance in it, and the switch leads to English and back', async () => {
  await page.goto(url('login'))
  await expect(page.getByRole('heading', { name: 'Iniciar sesión' })).toBeVisible()
  await expectNoEnglish(page)
  await expectAccessible(page, 'the login page in Spanish')
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page).toHaveURL(/login$/)
  await page.reload()
  await page.getByRole('link', { name: 'Español' }).click()
  await page.getByRole('textbox', { name: 'Nombre de usuario o correo electrónico' }).fill('student')
  await page.getByRole('textbox', { name: 'Contraseña' }).fill('wrong')
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(
    page.getByText('El nombre de usuario, el correo electrónico o la contraseña no es correcto.'),
  ).toBeVisible()
})

test('the pages of a student are in Spanish without a word of English, until English is chosen in the preferences', async () => {
  test.slow()
  await signIn(page, 'student', 'clock')
  await walk([
    ['clock', /Amara/],
    ['schedule', 'Mi horario'],
    ['hours', 'Horas'],
    ['open-shifts', 'Turnos abiertos'],
    ['swaps', 'Intercambios'],
    ['competencies', 'Competencias'],
    ['competencies/log', 'Registrar procedimientos'],
    ['competencies/history', 'Mi registro'],
    ['competencies/exams', 'Mis exámenes'],
    ['requirements', 'Requisitos'],
    ['safety', 'Seguridad'],
    ['evaluate', 'Evaluaciones'],
    ['progress', 'Avance'],
    ['clinical-record', 'Constancia clínica'],
    ['more', 'Más'],
  ])
  await page.goto(url('preferences'))
  await page.getByRole('combobox', { name: 'Idioma' }).click()
  await page.getByRole('option', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('heading', { name: 'Preferences' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'As the browser prefers' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Preferencias' })).toBeVisible()
})

test('the pages of a supervisor and of a graduate are in Spanish without a word of English', async () => {
  test.slow()
  await signIn(page, 'supervisor', 'approve')
  await walk([
    ['approve', /por aprobar/],
    ['evaluate', 'Evaluaciones'],
    ['exams', 'Exámenes'],
    ['verify-procedures', /por verificar/],
    ['students', 'Estudiantes'],
    ['more', 'Más'],
  ])
  await page.goto('about:blank')
  await context.clearCookies()
  await signIn(page, 'alumnus', 'employment')
  await walk([
    ['', /.+/],
    ['employment', 'Información laboral'],
    ['clinical-record', 'Constancia clínica'],
    ['documents', 'Documentos'],
  ])
})

test('staff read English whatever their browser prefers, and a language that is not there is English too', async ({
  browser,
}) => {
  await signIn(page, 'coordinator', 'admin/preferences')
  await expect(page.getByRole('heading', { name: 'Preferences' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('combobox', { name: 'Language' })).toHaveCount(0)
  const other = await browser.newContext({ locale: 'fr-CA', viewport: phone, serviceWorkers: 'block' })
  const theirs = await other.newPage()
  await theirs.goto(url('login'))
  await expect(theirs.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await other.close()
})
