/** The states of the United States with the District of Columbia and Puerto Rico, as arrangements and tax rates name them. */
export const states = (
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR ' +
  'PA PR RI SC SD TN TX UT VT VA WA WV WI WY'
).split(' ')

/** Who pays for the students of a program. */
export const payers = ['college', 'program', 'students', 'other'] as const
export type Payer = (typeof payers)[number]

/** The state of an arrangement on the program's day; `evidence` is in force and waits for the evidence of its exemption. */
export const arrangementStandings = ['active', 'evidence', 'upcoming', 'ended'] as const
export type ArrangementStanding = (typeof arrangementStandings)[number]

/** Most cents of an amount that Tax Calc takes: a billion dollars. */
export const maxCents = 100_000_000_000

/** The tax on an amount: cents, and a rate in thousandths of a percent; half a cent goes up. */
export const taxOf = (cents: number, rate: number): number =>
  Number((BigInt(cents) * BigInt(rate) + 50_000n) / 100_000n)

interface DatedRate {
  State: string
  StartsOn: string
  Rate: number
}

/** The rate of a state in force on a day 'YYYY-MM-DD'; undefined when none has begun. */
export const rateOn = <R extends DatedRate>(rates: readonly R[], state: string, day: string): R | undefined =>
  rates
    .filter(({ State, StartsOn }) => State === state && StartsOn <= day)
    .reduce<R | undefined>((last, rate) => (last && last.StartsOn > rate.StartsOn ? last : rate), undefined)

/** Cents as money: 123456 is '$1,234.56'. */
export const dollars = (cents: number): string =>
  `${cents < 0 ? '-' : ''}$${Math.floor(Math.abs(cents) / 100).toLocaleString('en-US')}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

/** A rate in thousandths of a percent as people write it: 6250 is '6.25%'. */
export const percent = (rate: number): string => `${rate / 1000}%`
