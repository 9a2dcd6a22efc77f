import type { Option } from '#web/ui/choice/use-options.ts'

/** The zones of the United States and the states whose colleges are in them; where a state has two, that of most people. */
const ofStates: Record<string, string> = {
  'America/New_York':
    'CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,IN Indiana,KY Kentucky,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,NH New Hampshire,NJ New Jersey,NY New York,NC North Carolina,OH Ohio,PA Pennsylvania,RI Rhode Island,SC South Carolina,VT Vermont,VA Virginia,WV West Virginia',
  'America/Chicago':
    'AL Alabama,AR Arkansas,IL Illinois,IA Iowa,KS Kansas,LA Louisiana,MN Minnesota,MS Mississippi,MO Missouri,NE Nebraska,ND North Dakota,OK Oklahoma,SD South Dakota,TN Tennessee,TX Texas,WI Wisconsin',
  'America/Denver': 'CO Colorado,ID Idaho,MT Montana,NM New Mexico,UT Utah,WY Wyoming',
  'America/Phoenix': 'AZ Arizona',
  'America/Los_Angeles': 'CA California,NV Nevada,OR Oregon,WA Washington',
  'America/Anchorage': 'AK Alaska',
  'Pacific/Honolulu': 'HI Hawaii',
  'America/Puerto_Rico': 'PR Puerto Rico',
}

const asOption = (zone: string, detail?: string): Option => ({
  value: zone,
  label: zone.replaceAll('_', ' '),
  ...(detail && { detail }),
})

const nameOf = (zone: string): string | undefined =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value

/** Every time zone, those of the United States first and with their everyday names. */
export const timeZoneOptions = (): Option[] => [
  ...Object.keys(ofStates).map((zone) => asOption(zone, nameOf(zone))),
  ...Intl.supportedValuesOf('timeZone')
    .filter((zone) => !(zone in ofStates))
    .map((zone) => asOption(zone)),
]

/** The zone of a state by its letters or its name; undefined for anything else. */
export const zoneOfState = (state: string): string | undefined => {
  const wanted = state.trim().toLowerCase()
  return Object.entries(ofStates).find(([, states]) =>
    states
      .toLowerCase()
      .split(',')
      .some((each) => each.slice(0, 2) === wanted || each.slice(3) === wanted),
  )?.[0]
}
