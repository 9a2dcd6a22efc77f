import { placeNow } from './clock-day.ts'
import {
  below,
  choose,
  expectInOrder,
  expectSpoken,
  fill,
  find,
  press,
  reach,
  read,
} from './screen-reader.ts'
import { another, expect, phone, signIn, test, url } from './support.ts'

// Ten jobs by what a screen reader is told and by the keyboard alone: names, roles, order and what is spoken.

test('somebody signs in by screen reader and is told what was wrong', async ({ page }) => {
  await page.goto(url('login'))
  await expectInOrder(page, [
    ['heading', 'Sign in'],
    ['textbox', 'User name or email'],
    ['textbox', 'Password'],
    ['button', 'Sign in'],
    ['link', 'Email me a sign-in link'],
  ])
  await fill(page, 'User name or email', 'coordinator')
  await fill(page, 'Password', 'Wrong-42-harbor')
  await press(page, 'button', 'Sign in')
  await expectSpoken(page, /password/)
  await reach(page, 'textbox', 'Password')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText('Bluebird-42-harbor')
  await page.keyboard.press('Enter')
  await find(page, 'heading', /^Good \w+, Dana$/)
})

test('a student clocks in and out by screen reader', async ({ page, browser }) => {
  await page.setViewportSize(phone)
  const staff = await another(browser, 'coordinator')
  await placeNow(staff.page)
  await staff.leave()
  await signIn(page, 'student', 'clock')
  await expectInOrder(page, [
    ['link', 'Skip to the content'],
    ['main', ''],
    ['heading', /, Amara$/],
    ['region', 'Clock'],
    ['button', 'Clock in'],
  ])
  await press(page, 'button', 'Clock in')
  await expectSpoken(page, 'You are clocked in, Amara')
  await expect(page.getByRole('button', { name: 'Clock out' })).toBeEnabled()
  await press(page, 'button', 'Clock out')
  await expectSpoken(page, 'You are clocked out, Amara')
})

test('a student reads the schedule by screen reader, week by week', async ({ page }) => {
  await signIn(page, 'student', 'schedule')
  await expectInOrder(page, [
    ['heading', 'My schedule'],
    ['button', 'Earlier weeks'],
    ['heading', /^This week/],
    ['heading', /^Week of Sun \d\d\/\d\d \d+\.\d h scheduled$/],
    ['list', ''],
    ['StaticText', /^\w{3} \d\d\/\d\d$/],
    ['StaticText', /^\d\d:\d\d$/],
    ['link', /^Directions: /],
  ])
})

test('a student logs procedures by screen reader and keeps the place in the list', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'competencies/log')
  await expectInOrder(page, [
    ['heading', 'Log procedures'],
    ['searchbox', 'Find a procedure'],
    ['list', 'Recent and remaining'],
  ])
  const [offered] = await below(page, 'button', 'list', 'Recent and remaining')
  const name = offered!.name.replace(/ owed \d+$/, '')
  await press(page, 'button', offered!.name)
  await expectSpoken(page, `${name} added. 1 line in all.`)
  // The button that was pressed is gone; the one in its place has the keyboard.
  const [next] = await below(page, 'button', 'list', 'Recent and remaining')
  expect(next!.states.focused).toBe(true)
  await expectInOrder(page, [
    ['button', `Fewer: ${name}`],
    ['button', `More: ${name}`],
    ['button', `Details: ${name}`],
    ['button', 'Submit 1 procedure'],
  ])
  await press(page, 'button', `More: ${name}`)
  await expectSpoken(page, '2')
  await press(page, 'button', 'Submit 2 procedures')
  await expectSpoken(page, `Choose how you took part in ${name}.`)
  for (const answer of ['Performed', 'Adult']) {
    const usual = await below(page, 'radio', 'region', 'Usual for you')
    await choose(page, usual.find((radio) => radio.name === answer)!)
  }
  await press(page, 'button', 'Submit 2 procedures')
  await expectSpoken(page, 'Logged 2 procedures')
})

test('a supervisor reads a day of procedures by screen reader and verifies it', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'supervisor', 'verify-procedures')
  await find(page, 'heading', /^\d+ days to verify$/)
  const items = await read(page)
  const verify = items.findLast(({ role, name }) => role === 'button' && /^Verify \w+’s day$/.test(name))!
  const day = items.slice(0, items.indexOf(verify)).findLast(({ role }) => role === 'region')!
  expect(day.name).toMatch(/^[^,]+, [^,]+, \d\d\/\d\d\/\d{4}$/)
  // How many, which procedure, and in which part they took part in it.
  expect((await below(page, 'button', 'region', day.name))[0]!.name).toMatch(
    /^\d+ .+ (Observed|Assisted|Performed)/,
  )
  await choose(page, verify)
  await expectSpoken(page, /^Verified \d+ entr(y|ies)/m)
})

test('a supervisor evaluates by screen reader: the question, its answers, what is required', async ({
  page,
}) => {
  await signIn(page, 'supervisor', 'evaluate')
  await find(page, 'heading', 'To complete')
  const links = (await read(page)).filter(({ role, name }) => role === 'link' && /due/.test(name))
  await press(page, 'link', links.at(-1)!.name)
  const question = await find(page, 'radiogroup', /^1 Verifies the patient/)
  expect(question.states.required).toBe(true)
  const answers = await below(page, 'radio', 'radiogroup', /^1 Verifies the patient/)
  expect(answers.map(({ name }) => name)).toEqual([
    '1, Strongly disagree',
    '2, Disagree',
    '3, Neutral',
    '4, Agree',
    '5, Strongly agree',
    'N/A',
  ])
  await choose(page, answers[3]!)
  await expect(async () => {
    const [, , , agree] = await below(page, 'radio', 'radiogroup', /^1 Verifies the patient/)
    expect(agree!.states.checked).toBe('true')
  }).toPass()
  await expectSpoken(page, 'Saved')
})

test('a student reports an absence by screen reader and comes back to where the dialog was opened', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'clock')
  await press(page, 'button', 'Report absence')
  await expectInOrder(page, [
    ['dialog', 'Report an absence'],
    ['heading', 'Report an absence'],
    ['textbox', /^Date/],
    ['combobox', 'Site'],
    ['textbox', 'Reason'],
    ['button', 'Send'],
  ])
  // Nothing beside the dialog is read while it is open.
  expect((await read(page)).some(({ role }) => role === 'main')).toBe(false)
  await press(page, 'button', 'Send')
  await expectSpoken(page, 'Fix one field before saving')
  expect((await find(page, 'textbox', 'Reason')).states.invalid).toBe('true')
  await page.keyboard.press('Escape')
  await expect(async () =>
    expect((await find(page, 'button', 'Report absence')).states.focused).toBe(true),
  ).toPass()
})

test('a supervisor hears hours, place and doubts of a shift by screen reader, approves it and takes it back', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await signIn(page, 'supervisor', 'approve')
  await find(page, 'heading', /^\d+ shifts to approve$/)
  const all = (await read(page)).filter(({ role, name }) => role === 'button' && /\d\d:\d\d/.test(name))
  expect(all.some(({ name }) => /ft from site|Sent later|Self-reported|Time change request/.test(name))).toBe(
    true,
  )
  const last = all.at(-1)!.name
  expect(last).toMatch(/^.+, .+ \d+\.\d h \w{3} \d\d\/\d\d · \d\d:\d\d–\d\d:\d\d .+/)
  await press(page, 'button', last)
  await find(page, 'dialog', last.slice(0, last.indexOf(' ', last.indexOf(', ') + 2)))
  await press(page, 'button', 'Approve')
  await expectSpoken(page, /Approved [\d.]+ h/)
  await press(page, 'button', 'Undo')
  await expectSpoken(page, 'The shifts are pending again')
})

test('a coordinator adds a person by screen reader and is told what is missing, in the order of the fields', async ({
  page,
}) => {
  await signIn(page, 'coordinator', 'admin/add-user')
  await press(page, 'button', /^Save/)
  await expectSpoken(page, 'Last name')
  const summary = (await read(page)).filter(({ role, isSpoken }) => role === 'link' && isSpoken)
  expect(summary.map(({ name }) => name)).toEqual(['Last name', 'Email', 'Role'])
  const field = await find(page, 'textbox', 'Last name')
  expect(field.states).toMatchObject({ invalid: 'true', required: true })
  expect(field.description).toBe('This field is required')
  await press(page, 'link', 'Last name')
  await expect(async () =>
    expect((await find(page, 'textbox', 'Last name')).states.focused).toBe(true),
  ).toPass()
  await fill(page, 'Last name', 'Ruth')
  expect((await find(page, 'textbox', 'Last name')).states.invalid).toBe('false')
})

test('a coordinator reads a table by screen reader, sorts it and opens a row', async ({ page }) => {
  await signIn(page, 'coordinator', 'admin/manage-users')
  await find(page, 'columnheader', 'Last name')
  await expectInOrder(page, [
    ['heading', 'Manage users'],
    ['form', 'Filters'],
    ['grid', 'Manage users'],
    ['columnheader', 'Last name'],
    ['columnheader', 'Role'],
    ['row', /./],
    ['gridcell', /./],
  ])
  const firstOf = async () => (await below(page, 'link', 'grid', 'Manage users'))[0]!.name
  const before = await firstOf()
  await press(page, 'button', 'Last name')
  await expect(async () => expect(await firstOf()).not.toBe(before)).toPass()
  const name = await firstOf()
  await press(page, 'link', name)
  await find(page, 'heading', new RegExp(name.split(', ')[0]!))
})
