import { placeNow } from './clock-day.ts'
import { expectInOrder, expectSpoken, fill, find, press, read } from './screen-reader.ts'
import { another, phone, signIn, test, url } from './support.ts'

// Ten jobs by what a screen reader is told and by the keyboard alone: names, roles, order and what is spoken.

test('508-1 somebody signs in, and is told what was wrong', async ({ page }) => {
  await page.goto(url('login'))
  await expectInOrder(page, [
    ['heading', 'Sign in'],
    ['textbox', 'User name'],
    ['textbox', 'Password'],
    ['button', 'Sign in'],
    ['link', 'Email me a sign-in link'],
  ])
  await fill(page, 'User name', 'coordinator')
  await fill(page, 'Password', 'not the password')
  await press(page, 'button', 'Sign in')
  await expectSpoken(page, /password/i)
})

test('508-2 a student clocks in and out', async ({ page, browser }) => {
  await page.setViewportSize(phone)
  const staff = await another(browser, 'coordinator')
  await placeNow(staff.page)
  await staff.context.close()
  await signIn(page, 'student', 'clock')
  await expectInOrder(page, [
    ['link', 'Skip to the content'],
    ['main', ''],
    ['heading', 'Ready when you are, Amara'],
    ['region', 'Clock'],
    ['button', 'Clock in'],
  ])
  await press(page, 'button', 'Clock in')
  await find(page, 'heading', 'You are clocked in, Amara')
  console.log((await read(page)).filter((i) => i.isSpoken).map((i) => `${i.role} ${i.name}`))
  await press(page, 'button', 'Clock out')
  await find(page, 'heading', 'You are clocked out, Amara')
  console.log((await read(page)).filter((i) => i.isSpoken).map((i) => `${i.role} ${i.name}`))
})

test('508-3 a student reads the schedule week by week', async ({ page }) => {
  await signIn(page, 'student', 'schedule')
  await expectInOrder(page, [
    ['heading', 'My schedule'],
    ['button', 'Earlier weeks'],
    ['heading', /^This week/],
    ['list', ''],
    ['heading', /^Week of/],
  ])
})

test('508-4 a student logs a procedure', async ({ page }) => {
  await page.setViewportSize(phone)
  await signIn(page, 'student', 'competencies/log')
  await expectInOrder(page, [
    ['heading', 'Log procedures'],
    ['searchbox', 'Find a procedure'],
    ['list', 'Recent and owed'],
  ])
  await press(page, 'button', 'Chest Routine')
  console.log(
    (await read(page))
      .filter((i) => !['StaticText', 'InlineTextBox', 'generic', 'none'].includes(i.role))
      .map((i) => `${i.role} ${i.name} ${JSON.stringify(i.states)}`)
      .join('\n'),
  )
  await press(page, 'button', 'Submit 1 procedure')
  await expectSpoken(page, 'Logged 1 procedure')
})
