import { type FieldChoices, notAmong } from '#server/core/imports/choices.ts'
import { nameKey } from '#server/core/imports/names.ts'

/** What a vendor says of a requirement, in our words. */
export type Status = 'complete' | 'pending' | 'failed' | 'missing' | 'waived'

// The first that fits counts: 'not compliant' comes before 'compliant', 'incomplete' before 'complete'.
const statusWords: readonly [Status, RegExp][] = [
  ['waived', /^(waived|waiver|exempt|exempted|exemption|declined with waiver|not applicable)/],
  ['missing', /^(missing|incomplete|not (received|submitted|started|found)|none|overdue|no record)/],
  [
    'failed',
    /^(not compliant|non[ -]?compliant|consider|adverse|fail|reject|denied|declined|review|needs review|does not meet|not (clear|eligible)|record found|hit|positive)/,
  ],
  [
    'pending',
    /^(pending|in (progress|process|review)|ordered|submitted|processing|open|awaiting|under review|partial)/,
  ],
  [
    'complete',
    /^(complete|completed|clear|cleared|compliant|approved|accepted|pass|passed|verified|valid|met|meets|satisfied|eligible|negative|immune|current|expired|expiring|ok|yes)/,
  ],
]

/** What a vendor's word means here; undefined for one that is not known. 'Expired' is decided by the date. */
export const statusOf = (text: string): Status | undefined =>
  statusWords.find(([, pattern]) => pattern.test(nameKey(text)))?.[0]

const statuses = ['Complete', 'Pending', 'Needs review', 'Missing', 'Waived']

/** The words stay as the vendor wrote them until the row is planned. */
export const statusChoices: FieldChoices = {
  offered: statuses,
  read: (told) =>
    statusOf(told) === undefined ? notAmong(told, 'a known status', statuses) : { value: told },
}
