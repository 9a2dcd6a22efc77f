import type { ProgramPlan } from './maker.ts'
import { fields, regions } from './names.ts'
import type { Random } from './random.ts'

/** What programs there are: the three of the demo, then as many more as the scale asks for, most of them small. */
export const planPrograms = (random: Random, scale: number): ProgramPlan[] => {
  const harbor = {
    timeZone: 'America/New_York',
    latitude: 41.6362,
    longitude: -70.9342,
    city: 'New Bedford',
    state: 'MA',
  }
  const lakeside = {
    timeZone: 'America/Chicago',
    latitude: 43.0389,
    longitude: -87.9065,
    city: 'Milwaukee',
    state: 'WI',
  }
  const plans: ProgramPlan[] = [
    { id: 1, collegeId: 1, name: 'Radiography', field: 'Radiography', students: 46, suffix: '', ...harbor },
    {
      id: 2,
      collegeId: 1,
      name: 'Sonography',
      field: 'Diagnostic Medical Sonography',
      students: 24,
      ...harbor,
    },
    { id: 3, collegeId: 2, name: 'Nursing', field: 'Nursing', students: 80, suffix: '2', ...lakeside },
  ]
  for (let id = 4; id <= scale; id++) {
    const [city, state, latitude, longitude, timeZone] = random.pick(regions)
    // Most programs are small, a few very large; the fourth is the largest of large installations.
    const spread = Math.round(60 * Math.exp(random.next() * 1.6))
    const students = id === 4 && scale >= 40 ? 3_000 : spread
    const field = random.pick(fields)
    plans.push({
      id,
      collegeId: 2 + Math.ceil((id - 3) / 3),
      name: `${field} ${id}`,
      field,
      students,
      city,
      state,
      latitude,
      longitude,
      timeZone,
    })
  }
  return plans
}
