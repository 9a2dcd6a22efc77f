import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, expectAccessible, signIn, test, url } from './support.ts'

test('an admin adds a webhook, sends a test event, sends it again, and finds it in the audit with what changed', async ({
  page,
}) => {
  const received: { type: string; id: string }[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    received.push({ type: JSON.parse(body).type, id: String(request.headers['webhook-id']) })
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Thank you')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const row = page.getByRole('row', { name: new RegExp(host) })
  const act = async (action: string) => {
    await row.hover()
    await row.getByRole('button', { name: /^More for/ }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  try {
    await signIn(page, 'admin', 'admin/webhooks')
    await page.getByRole('button', { name: 'Add webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add webhook' })
    await form.getByRole('textbox', { name: 'Address' }).fill(`http://${host}/events`)
    await form.getByRole('textbox', { name: 'Description' }).fill('Journey receiver')
    await form.getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'assignment.created' }).click()
    await page.keyboard.press('Escape')
    await form.getByRole('button', { name: 'Add webhook' }).click()
    const made = page.getByRole('dialog', { name: /^Secret for/ })
    await expect(made.getByRole('textbox')).toHaveValue(/^whsec_/)
    await made.getByRole('button', { name: 'Done' }).click()
    await expect(row).toContainText('On')

    await act('Send a test event')
    const deliveries = page.getByRole('dialog', { name: /^Deliveries to/ })
    await expect(deliveries.getByText('Delivered')).toBeVisible()
    await deliveries.locator('summary').click()
    await expect(deliveries.getByText('Thank you')).toBeVisible()
    await expectAccessible(page, 'deliveries of a webhook')
    await deliveries.getByRole('button', { name: /^Send .* again/ }).click()
    await expect.poll(() => received.length).toBe(2)
    // At least once: the receiver knows a repeat by its id.
    expect(received[1]).toEqual(received[0])
    await deliveries.getByRole('button', { name: 'Close' }).last().click()

    await act('Edit')
    const edited = page.getByRole('dialog', { name: 'Webhook' })
    await edited.getByRole('combobox', { name: 'Events' }).click()
    await page.getByRole('option', { name: 'person.created' }).click()
    await page.keyboard.press('Escape')
    await edited.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Webhook saved')).toBeVisible()

    await page.goto(url('admin/audit?kind=change'))
    const entries = page.getByRole('row', { name: /Change a webhook/ })
    await entries.first().click()
    const entry = page.getByRole('dialog')
    await expect(entry.getByRole('row', { name: /^Events/ }).getByRole('cell')).toHaveText([
      'assignment.created',
      'assignment.created, person.created',
    ])
    await expectAccessible(page, 'an entry of the audit')
    await entry.getByRole('button', { name: 'Close' }).last().click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Excel' }).click()
    expect((await download).suggestedFilename()).toMatch(/^Audit.*\.xlsx$/)
    await page.getByRole('combobox', { name: /^Source/ }).click()
    await page.getByRole('option', { name: 'By links' }).click()
    await expect(page).toHaveURL(/source=links/)
    await expect(entries).toHaveCount(0)
    await expectAccessible(page, 'the audit by links')
  } finally {
    await page.goto(url('admin/webhooks'))
    await act('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(`Webhook to`)).toBeVisible()
    receiver.closeAllConnections()
    receiver.close()
  }
})
