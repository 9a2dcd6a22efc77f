import { useAddress } from '#web/api/use-address.ts'
import { ClearanceList } from './ClearanceList.tsx'
import { IssuedRecords } from './IssuedRecords.tsx'

/** Who can be cleared for graduation, and the records that were issued. */
export function ClinicalRecordsPage() {
  const [{ view }] = useAddress({ view: 'clearance' })
  return view === 'issued' ? <IssuedRecords /> : <ClearanceList />
}
