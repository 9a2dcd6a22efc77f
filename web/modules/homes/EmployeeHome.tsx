import { OwnSites } from './OwnSites.tsx'

/** An employee's home: the sites that the person looks after, beside contacts, documents and news. */
export function EmployeeHome() {
  return <OwnSites />
}
