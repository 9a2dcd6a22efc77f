import type { Connection } from '#contract/connections/connections.ts'
import { ConnectionPeople } from './ConnectionPeople.tsx'
import { ConnectionPrograms } from './ConnectionPrograms.tsx'

/** What a connection of any kind has below its form: its programs and its people. */
export function ConnectionParts({ connection }: { connection: Connection }) {
  return (
    <>
      <ConnectionPrograms connection={connection} />
      <ConnectionPeople connectionId={connection.Id} />
    </>
  )
}
