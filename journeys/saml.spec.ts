import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { type IdentityProvider, makeIdentityProvider, readRequest } from '../server/test/identity-provider.ts'
import { api, expect, expectAccessible, signIn, test, url, visitor } from './support.ts'

/** A provider with its own page, at another site: it answers for whoever `who` names. */
const startProvider = async (
  idp: IdentityProvider,
  who: { nameId: string },
): Promise<{ server: Server; ssoUrl: string }> => {
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/sso?')) {
      response.writeHead(404).end()
      return
    }
    const asked = readRequest(`http://localhost${request.url}`)
    const answer = idp.respond(asked, { nameId: who.nameId })
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>College</title><form method="post" action="${asked.acsUrl}"><input type="hidden" name="SAMLResponse" value="${answer}"><button>Yes, it is me</button></form>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, ssoUrl: `http://localhost:${(server.address() as AddressInfo).port}/sso` }
}

const yes = (page: Page, verb: string) =>
  page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click()
const save = (page: Page) => page.getByRole('button', { name: /^Save/ }).click()
const choose = async (page: Page, field: RegExp, option: RegExp) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).first().click()
}
const act = async (page: Page, row: RegExp, action: string) => {
  const found = page.getByRole('row', { name: row })
  await found.hover()
  await found.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** A provider of Radiography, made without its form; `end` takes it away again. */
const makeProvider = async (page: Page, Name: string, idp: IdentityProvider, SsoUrl: string) => {
  const programs: { Id: number; Name: string }[] = await api(page, 'GET', '/programs')
  const ProgramId = programs.find(({ Name }) => Name === 'Radiography')!.Id
  const { entityId: EntityId, certificate: Certificate } = idp
  const { Id } = await api(page, 'POST', '/saml', { Name, EntityId, SsoUrl, Certificate, ProgramId })
  return { Id: Id as number, end: () => api(page, 'DELETE', `/saml/${Id}`) }
}
const snackbarOf = (page: Page) => page.locator('[data-place="bottom-center"] [data-tone="error"]')

test('A47 D1-078 D1-079 D1-080 D3-135 D3-139 D3-140 D3-141 D3-230 D3-231 D3-232 D3-233 D3-234 D3-235 D3-340 D3-343 a super admin adds a provider with its certificate', async ({
  page,
}) => {
  const idp = makeIdentityProvider()
  const ssoUrl = idp.ssoUrl
  await signIn(page, 'super', 'admin/saml/admin')
  await expect(page.getByRole('heading', { name: 'SAML Settings' })).toBeVisible()
  await page.getByRole('button', { name: 'Add New' }).first().click()
  await expect(page).toHaveURL(url('admin/saml/admin/new'))
  await save(page)
  await expect(page.getByText('This field is required')).toHaveCount(5)
  await expectAccessible(page, 'new provider with errors')

  // The certificate: nothing to download, uploaded, cleared after a question, written in the dialog, downloaded.
  const certificate = page.getByRole('group', { name: /^Certificate/ })
  await certificate.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByText('No certificate data to download.')).toBeVisible()
  const chooser = page.waitForEvent('filechooser')
  await certificate.getByRole('button', { name: 'Upload .txt' }).click()
  await (await chooser).setFiles({
    name: 'idp.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(idp.certificate),
  })
  await expect(certificate.getByText('1 certificate')).toBeVisible()
  await certificate.getByRole('button', { name: 'Clear' }).click()
  await yes(page, 'Clear')
  await expect(certificate.getByText('No certificate yet.')).toBeVisible()
  await certificate.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Certificate', { exact: true }).last().fill('no certificate')
  await yes(page, 'Apply')

  await page.getByLabel('Name').fill('Journey College of Forms')
  await page.getByLabel('Entity ID').fill(idp.entityId)
  await page.getByLabel('SSO URL').fill(ssoUrl)
  await choose(page, /^Program/, /Radiography/)
  await save(page)
  // What the server says is in red at the bottom, for six seconds.
  const snackbar = snackbarOf(page)
  await expect(snackbar).toContainText('This is not an X.509 certificate')
  await expect(snackbar.locator('[data-clock]')).toHaveCSS('animation-duration', '6s')
  await expect(snackbar).toHaveCSS('background-color', 'rgb(168, 38, 30)')
  await certificate.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Certificate', { exact: true }).last().fill(idp.certificate)
  await yes(page, 'Apply')
  const download = page.waitForEvent('download')
  await certificate.getByRole('button', { name: 'Download' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('Journey College of Forms.txt')
  expect((await readFile(await file.path(), 'utf8')).trim()).toBe(idp.certificate)
  // When the server does not answer, the page speaks for it.
  await page.route('**/new/api/saml', (route) => route.abort())
  await save(page)
  await expect(snackbar).toContainText('Error creating SAML provider')
  await page.unroute('**/new/api/saml')
  await save(page)
  await expect(page).toHaveURL(url('admin/saml/admin'))
  const row = /Journey College of Forms/
  await expect(page.getByRole('row', { name: row })).toContainText('1 program')
  await expectAccessible(page, 'providers')

  await page.getByRole('row', { name: row }).click()
  await expect(page.getByRole('textbox', { name: 'Sign-in address for a portal' })).toHaveValue(
    /\/new\/saml\/\d+\/login$/,
  )
  await expect(page).toHaveURL(/\/admin\/saml\/admin\/\d+$/)
  await expectAccessible(page, 'provider')
  await page.getByLabel('Name').fill('Journey College of Forms, renamed')
  await page.route('**/new/api/saml/*', (route) => route.abort())
  await save(page)
  await expect(snackbar).toContainText('Error updating SAML provider')
  await page.unroute('**/new/api/saml/*')
  await save(page)
  await expect(page).toHaveURL(url('admin/saml/admin'))

  await page.route('**/new/api/saml/*', (route) => route.abort())
  await act(page, row, 'Delete')
  await yes(page, 'Delete')
  await expect(snackbar).toContainText('Error deleting SAML provider')
  await page.unroute('**/new/api/saml/*')
  await act(page, row, 'Delete')
  await yes(page, 'Delete')
  await expect(page.getByRole('row', { name: row })).toHaveCount(0)
})

test('D1-081 D3-136 D3-137 D3-138 D3-188 D3-189 D3-245 D3-341 a super admin links programs: several keep the provider, the last one stays', async ({
  page,
}) => {
  await signIn(page, 'super', 'admin/home')
  const { ssoUrl, ...idp } = makeIdentityProvider()
  await makeProvider(page, 'Journey College of Links', { ssoUrl, ...idp }, ssoUrl)
  await page.goto(url('admin/saml/admin'))
  const row = /Journey College of Links/
  const snackbar = snackbarOf(page)
  await act(page, row, 'Link programs')
  await expect(page.getByRole('link', { name: 'SAML Settings' })).toBeVisible()
  const add = page.getByRole('button', { name: 'Add', exact: true })
  await expect(add).toBeDisabled()
  await choose(page, /^Program/, /Nursing/)
  await page.route('**/programs', (route) => route.abort())
  await add.click()
  await expect(snackbar).toContainText('Error linking SAML config program')
  await page.unroute('**/programs')
  await add.click()
  await expect(page.getByRole('row', { name: /Nursing/ })).toContainText('No level granted')
  await expectAccessible(page, 'linked programs')

  await page.getByRole('link', { name: 'SAML Settings' }).click()
  const provider = page.getByRole('row', { name: row })
  await provider.hover()
  await provider.getByRole('button', { name: /^More for/ }).click()
  await expect(page.getByRole('menuitem', { name: /^Delete/ })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('menuitem', { name: 'Link programs' }).click()
  await page.route('**/programs/*', (route) => route.abort())
  await act(page, /Nursing/, 'Unlink')
  await yes(page, 'Unlink')
  await expect(snackbar).toContainText('Error unlinking SAML config program')
  await page.unroute('**/programs/*')
  await act(page, /Nursing/, 'Unlink')
  await yes(page, 'Unlink')
  await expect(page.getByRole('row', { name: /Nursing/ })).toHaveCount(0)
  const last = page.getByRole('row', { name: /Radiography/ })
  await last.hover()
  await last.getByRole('button', { name: /^More for/ }).click()
  await expect(page.getByRole('menuitem', { name: /^Unlink/ })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await page.goto(url('admin/saml/admin'))
  await act(page, row, 'Delete')
  await yes(page, 'Delete')
  await expect(provider).toHaveCount(0)
})

test('D1-082 D3-142 D3-143 D3-144 D3-145 D3-146 D3-147 D3-148 D3-149 D3-150 D3-190 D3-191 D3-236 D3-342 a super admin gives a student their name at the college, and they sign in through it', async ({
  page,
  browser,
}) => {
  const idp = makeIdentityProvider()
  const who = { nameId: 'stranger@journey.example' }
  const { server, ssoUrl } = await startProvider(idp, who)
  await signIn(page, 'super', 'admin/home')
  const provider = await makeProvider(page, 'Journey College of People', idp, ssoUrl)
  const row = /Journey College of People/
  const snackbar = snackbarOf(page)
  try {
    await page.goto(url('admin/saml/users'))
    await expect(page.getByText('Choose a SAML provider to see its people.').first()).toBeVisible()
    await choose(page, /^SAML Provider/, row)
    await page.getByRole('button', { name: 'Clear SAML Provider' }).click()
    await expect(page.getByText('SAML Provider is required')).toBeVisible()
    await choose(page, /^SAML Provider/, row)
    await choose(page, /^Program/, /Radiography/)
    for (const name of ['Program', 'Email', 'User name', 'SAML Name ID'])
      await expect(page.getByRole('columnheader', { name, exact: true })).toBeVisible()
    for (const name of ['Program ID', 'User ID', 'Name', 'Updated'])
      await expect(page.getByRole('columnheader', { name, exact: true })).toHaveCount(0)
    await page.getByLabel('Name, user name, email or SAML Name ID').fill('example.org')
    const student = page.getByRole('row', { name: /student@example\.org/ })
    const alumnus = page.getByRole('row', { name: /alumnus@example\.org/ })
    await student.getByRole('button', { name: 'Edit student' }).click()
    const nameId = page.getByRole('textbox', { name: 'SAML Name ID', exact: true })
    await nameId.fill('never saved')
    await alumnus.getByRole('button', { name: 'Edit alumnus' }).click()
    await expect(nameId).toHaveCount(1)
    await student.getByRole('button', { name: 'Edit student' }).click()
    await expect(nameId).toHaveValue('')
    await expectAccessible(page, 'people of a provider')
    await nameId.fill('student@journey.example')
    await page.getByRole('button', { name: /^Save/ }).click()
    await expect(page.getByText('Are you sure you want to save this user?')).toBeVisible()
    await page.route('**/saml/*/users/*', (route) => route.abort())
    await yes(page, 'Save')
    await expect(snackbar).toContainText('Error updating SAML config user')
    await page.unroute('**/saml/*/users/*')
    await page.getByRole('button', { name: /^Save/ }).click()
    await yes(page, 'Save')
    await expect(student).toContainText('student@journey.example')
    await page.getByRole('button', { name: /columns/i }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Updated' }).click()
    await page.keyboard.press('Escape')
    await expect(student).toContainText(/\d{2}\/\d{2}\/\d{4}/)

    const { page: guest, leave } = await visitor(browser)
    await guest.goto(url('login'))
    await expectAccessible(guest, 'login page with colleges')
    await guest.getByRole('link', { name: 'Sign in with your college' }).click()
    await guest.getByRole('button', { name: 'Yes, it is me' }).click()
    await expect(guest.getByRole('heading', { name: 'You are not signed in' })).toBeVisible()
    await expect(guest.getByRole('alert')).toContainText('no active account here is linked to that sign-in')
    await expectAccessible(guest, 'refused by name')
    who.nameId = 'student@journey.example'
    await guest.getByRole('link', { name: 'Try again with your college' }).click()
    await guest.getByRole('button', { name: 'Yes, it is me' }).click()
    await guest.waitForURL(url('clock'))
    await leave()

    // A blank name is a deletion, and so is Delete.
    await student.getByRole('button', { name: 'Edit student' }).click()
    await nameId.fill('')
    const sent = page.waitForRequest(/\/saml\/\d+\/users\/\d+$/)
    await page.getByRole('button', { name: /^Save/ }).click()
    await yes(page, 'Save')
    expect((await sent).postDataJSON()).toEqual({ SamlNameId: '', Delete: true })
    await expect(student).not.toContainText('journey.example')
    await student.getByRole('button', { name: 'Edit student' }).click()
    await nameId.fill('again@journey.example')
    await page.keyboard.press('Enter')
    await yes(page, 'Save')
    await expect(student).toContainText('again@journey.example')
    await student.getByRole('button', { name: 'Delete student' }).click()
    await expect(page.getByText('Are you sure you want to delete this user?')).toBeVisible()
    await yes(page, 'Delete')
    await expect(student).not.toContainText('journey.example')
  } finally {
    await provider.end()
    server.close()
  }
})
