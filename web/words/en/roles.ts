/** What each role may do, in one sentence, beside its name wherever somebody gives one. */
export const roles = {
  SuperAdmin: 'Everything in every program.',
  Admin: 'May do what a director may, and also keys, webhooks, private records and viewing as someone else.',
  Director:
    'May do what a coordinator may, and also outcomes, clearance to graduate, background checks, payments and the audit.',
  Coord: 'Runs the days: people, {sites}, schedules, hours, requirements, evaluations and imports.',
  Faculty: 'Sees the program and its {students}, and assigns shifts unless the program forbids it.',
  CCUnderHood: 'May do what a {supervisor} may.',
  Supervisor: 'Sees the {students} of their own {sites}, approves their hours and evaluates them.',
  SiteEmployee: 'Sees their own {sites} and which {students} come there.',
  GenericEmployee: 'Sees their own {sites} and how many {students} come there, without names.',
  Student: 'Sees their own schedule, and keeps their own time, evaluations and requirements.',
  Registrant: 'Has registered and waits for a role.',
  Alumnus: 'Sees their own records and hours after leaving the program.',
}
