import type { MadeSite, Maker, ProgramPlan } from './maker.ts'

/** Employees of the first sites, and somebody who gets copies of emails. */
export const makeEmployees = async (
  maker: Maker,
  plan: ProgramPlan,
  sites: readonly MadeSite[],
  { reader, stamp }: { reader: number; stamp: string },
): Promise<void> => {
  for (const [index, [first, last]] of (
    [
      ['Helen', 'Abernathy'],
      ['Marcus', 'Castellane'],
      ['Yolanda', 'Whitfield'],
    ] as const
  ).entries())
    await maker.add('employee', {
      program_id: plan.id,
      site_id: sites[index % sites.length]!.id,
      first_name: first,
      last_name: last,
      email: `${first}.${last}@example.org`.toLowerCase(),
      dob: null,
      hash: `${plan.id.toString(16).padStart(8, '0')}${index.toString(16).padStart(24, '0')}`,
      num_arrt: String(410_200 + index),
      registry_number: `R-${1001 + index}`,
      created_at: stamp,
      updated_at: stamp,
    })
  await maker.add('notification_copy', {
    program_id: plan.id,
    account_id: reader,
    area_id: null,
    created_at: stamp,
  })
}
