import { sql } from 'kysely'
import type { ImportDefinition } from '#server/core/imports/definition.ts'
import { planPlaces } from '#server/core/imports/places.ts'
import { columnTypes, tableStore } from '#server/core/imports/table-store.ts'

const { text, optionalText, coordinate } = columnTypes

const store = tableStore({
  table: 'college',
  columns: {
    name: { field: 'Name', ...text },
    ipeds_id: { field: 'IpedsId', ...optionalText },
    address: { field: 'Address', ...text },
    city: { field: 'City', ...text },
    state: { field: 'State', ...text },
    zip: { field: 'Zip', ...text },
    phone: { field: 'Phone', ...text },
    website: { field: 'Website', ...text },
    latitude: { field: 'Latitude', ...coordinate },
    longitude: { field: 'Longitude', ...coordinate },
  },
  name: sql`t.name`,
  uses: () => [['has programs', sql`exists (select from program p where p.college_id = t.id)`]],
})

export const collegeImport: ImportDefinition = {
  store,

  async plan(scope, rows, mapping) {
    return planPlaces(rows, await store.listExisting(scope), mapping, {
      toEntity: store.toEntity,
      key: { field: 'IpedsId', column: 'ipeds_id', label: 'IPEDS ID' },
      what: 'college',
    })
  },
}
