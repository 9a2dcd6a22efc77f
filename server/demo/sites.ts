import { addDays } from '#contract/core/calendar.ts'
import { addFile, type DemoFiles } from './documents.ts'
import type { MadeSite, Maker, ProgramPlan } from './maker.ts'
import { firstNames, harborSites, lastNames, siteKinds, siteStems } from './names.ts'

/**
 * Sites with their networks, contacts, departments and agreements, some of which end soon or have ended. With `store`
 * most agreements have a file.
 *
 * @returns those that are active
 */
export const makeSites = async (
  maker: Maker,
  plan: ProgramPlan,
  areas: number[],
  store: DemoFiles | undefined,
): Promise<MadeSite[]> => {
  const { random, today } = maker
  const isHarbor = plan.collegeId === 1
  const count = plan.suffix !== undefined ? 40 : Math.min(120, Math.max(6, Math.round(plan.students / 6)))
  const sites: MadeSite[] = []
  const codes = new Set<string>()
  for (let n = 0; n < count; n++) {
    const known = isHarbor ? harborSites[n] : undefined
    const stem = siteStems[n % siteStems.length]!
    const name =
      known?.[0] ??
      `${stem} ${random.pick(siteKinds)}${n >= siteStems.length ? ` ${Math.floor(n / siteStems.length) + 1}` : ''}`
    let code = known?.[1] ?? `${stem.slice(0, 2)}${name.split(' ').at(-1)!.slice(0, 1)}`.toUpperCase()
    for (let next = 2; codes.has(code); next++) code = `${code.slice(0, 3)}${next}`
    codes.add(code)
    const latitude = known?.[4] ?? Number((plan.latitude + (random.next() - 0.5) * 1.1).toFixed(4))
    const longitude = known?.[5] ?? Number((plan.longitude + (random.next() - 0.5) * 1.4).toFixed(4))
    const isActive = plan.suffix === undefined || n < 32
    const agreed = n % 3 === 0 ? 4 + (n % 5) : null
    const beds = random.int(20, 600)
    const capacity = random.int(4, 14)
    const id = await maker.add('site', {
      program_id: plan.id,
      area_id: areas[n % areas.length],
      name,
      contract_name: name,
      code,
      type: 'GENERAL ACUTE CARE',
      address: `${random.int(1, 980)} ${random.pick(['Main', 'Ridge', 'Harbor', 'Elm', 'Union', 'Second'])} Street`,
      city: known?.[2] ?? plan.city,
      state: known?.[3] ?? plan.state,
      zip: '02740',
      phone: '(508) 555-0142',
      website: '',
      county: '',
      beds,
      capacity,
      latitude,
      longitude,
      precision_m: 150,
      time_zone: plan.timeZone,
      is_dst: plan.timeZone !== 'America/Phoenix',
      allow_overnight: true,
      allow_multiclock: false,
      reject_inaccurate_pins: false,
      reject_accuracy_m: 200,
      lab: code === 'SIM',
      forbid_cs_logclock_editing: false,
      reminders: true,
      notes: '',
      is_active: isActive,
      created_at: new Date(maker.now).toISOString(),
      updated_at: new Date(maker.now).toISOString(),
    })
    const network = `${code}-${random.pick(['Staff', 'Imaging', 'Public'])}`
    await maker.add('site_network', {
      program_id: plan.id,
      site_id: id,
      name: network,
      range: `198.51.${n % 256}.0/28`,
    })
    await maker.add('site_contact', {
      program_id: plan.id,
      site_id: id,
      name: `${random.pick(firstNames)} ${random.pick(lastNames)}`,
      role: 'Clinical liaison',
      email: `liaison@${code.toLowerCase()}.example`,
      phone: '(508) 555-0177',
    })
    for (const department of ['Imaging', 'Emergency'])
      await maker.add('site_department', { program_id: plan.id, site_id: id, name: department })
    const ends = n === 2 ? 16 : n === 4 ? 71 : n === 6 ? 83 : n === 8 ? -21 : random.int(120, 800)
    await maker.add('affiliate_agreement', {
      program_id: plan.id,
      site_id: id,
      initial_date: addDays(today, -1100),
      last_renewal_date: addDays(today, ends - 1095),
      terms: '3 years',
      is_active: true,
      is_approved: true,
      termination_date: addDays(today, ends),
      capacity: agreed,
      contacts:
        n % 2 === 0
          ? [
              {
                Name: 'Office of Affiliations',
                Role: 'Legal',
                Email: `affiliations@${code.toLowerCase()}.example`,
                Phone: '',
              },
            ]
          : [],
      notes: '',
      file_id:
        store && n % 4 !== 3
          ? await addFile(maker, plan, store, {
              file: `agreement-${code.toLowerCase()}.pdf`,
              title: 'Affiliation agreement',
              lines: [
                `Between ${name} and the program ${plan.name}.`,
                'Students learn under the supervision of the site’s own staff.',
                'The program keeps proof of CPR, immunizations and background checks.',
                'Term: three years. Either party may end it with 60 days’ notice.',
              ],
            })
          : null,
      created_at: new Date(maker.now).toISOString(),
      updated_at: new Date(maker.now).toISOString(),
    })
    if (isActive)
      sites.push({
        id,
        name,
        code,
        latitude,
        longitude,
        network,
        maxStudents: Math.min(capacity, agreed ?? capacity),
        agreementEnds: addDays(today, ends),
      })
  }
  return sites
}
