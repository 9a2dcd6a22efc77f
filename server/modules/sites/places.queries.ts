import { type RawBuilder, sql } from 'kysely'
import type { Place } from '#contract/sites/sites.ts'
import type { Db } from '#server/core/database/pool.ts'

const most = 20
const startingWith = (text: string): string => `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`

/** ZIP codes that begin with the digits, or towns that begin with the text; those with the most ZIP codes first. */
export const findPlaces = async (db: Db, search: string): Promise<Place[]> => {
  const [digits] = /^\d{1,5}(?=(-\d*)?$)/.exec(search) ?? []
  const { rows } = await (digits ? byZip(digits) : byTown(search)).execute(db)
  return rows
}

const byZip = (digits: string): RawBuilder<Place> => sql<Place>`
  select zip as "Zip", city as "City", state as "State", county as "County", latitude as "Latitude",
    longitude as "Longitude"
  from place where zip like ${startingWith(digits)} order by zip limit ${most}`

const byTown = (search: string): RawBuilder<Place> => {
  // The last two letters may be a state: "Boston MA" is a town in Massachusetts, "La" is the beginning of a town.
  const [, town = search, state = null] = /^(.+?)[\s,]+([a-z]{2})$/i.exec(search) ?? []
  return sql<Place>`
    select case when count(*) = 1 then min(zip) else '' end as "Zip", city as "City", state as "State",
      mode() within group (order by county) as "County", round(avg(latitude)::numeric, 4)::float8 as "Latitude",
      round(avg(longitude)::numeric, 4)::float8 as "Longitude"
    from place
    where lower(city) like ${startingWith(search)}
      or (lower(city) like ${startingWith(town)} and state = upper(${state}::text))
    group by city, state order by count(*) desc, city, state limit ${most}`
}
