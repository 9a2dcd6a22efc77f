import { chromium } from 'playwright-core'
const base='http://localhost:18994'
const browser = await chromium.launch({ executablePath:'/usr/bin/chromium-headless-shell', args:['--headless','--no-sandbox','--disable-gpu','--disable-quic','--no-first-run','--disable-background-networking','--disable-component-update','--disable-sync'] })
const login = async (who, opts={}) => {
  const ctx = await browser.newContext({ viewport:{width:1280,height:800}, ...opts })
  const page = await ctx.newPage()
  page.on('console', m=>{ if(m.type()==='error') console.log('ERR', m.text().slice(0,300)) })
  page.on('pageerror', e=>console.log('PAGEERR', e.message.slice(0,400)))
  await page.goto(base+'/new/login')
  await page.getByLabel(/user ?name|email/i).first().fill(who)
  await page.locator('input[type=password]').fill('Bluebird-42-harbor')
  await page.getByRole('button',{name:/sign in|log in/i}).first().click()
  await page.waitForURL(u=>!u.pathname.includes('login'),{timeout:20000})
  return page
}
export { browser, login, base }
const which = process.argv[2]
if (which==='a') {
  const page = await login('coordinator')
  await page.goto(base+'/new/admin/placement'); await page.waitForTimeout(1500)
  await page.screenshot({path:'/tmp/p-list.png'})
  await page.getByText('Clinical III').first().click(); await page.waitForTimeout(1500)
  await page.screenshot({path:'/tmp/p-plan.png'})
  const id = page.url().match(/placement\/(\d+)/)[1]
  await page.goto(base+`/new/admin/placement/${id}/drafts`); await page.waitForTimeout(2500)
  await page.screenshot({path:'/tmp/p-draft.png'})
  const low = page.locator('button[data-rank="3"], button[data-rank="4"], button[data-rank="2"]').first()
  if (await low.count()) { await low.click(); await page.waitForTimeout(1500); await page.screenshot({path:'/tmp/p-why.png'})
    const any = page.getByRole('button',{name:'Give it anyway?'}).first()
    if (await any.count()) { await any.click(); await page.waitForTimeout(1500); await page.screenshot({path:'/tmp/p-cost.png'}) } }
  await page.getByText('Compare',{exact:true}).click(); await page.waitForTimeout(1500); await page.screenshot({path:'/tmp/p-compare.png'})
}
if (which==='t') {
  const page = await login('coordinator')
  for (let k=0;k<3;k++) for (const u of ['/new/api/programs/1/placement-plans/2/readiness','/new/api/programs/1/placement-plans/2/drafts/2','/new/api/programs/1/placement-plans/2/drafts/2/why?StudentId=STU&Block=0']) {
    const r = await page.evaluate(async (u)=>{ let stu; if(u.includes('STU')){ const d=await (await fetch(u.split('/why')[0])).json(); stu=d.Rows[0].StudentId; u=u.replace('STU',stu)} const t=performance.now(); const x=await fetch(u); const b=await x.text(); return [u,x.status,b.length,Math.round(performance.now()-t)] }, base+u)
    console.log(r.join(' '))
  }
}
await browser.close()
