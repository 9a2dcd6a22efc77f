/** What is said of a shift in one line, of columns or values as SQL: its day, its times and its site, in the zone of the site. */
export const shiftLine = ({
  program,
  site,
  starts,
  ends,
}: Record<'program' | 'site' | 'starts' | 'ends', string>): string => `(
  select to_char(${starts} at time zone s.time_zone, 'MM/DD/YYYY HH24:MI') || '–'
    || to_char(${ends} at time zone s.time_zone, 'HH24:MI') || ', ' || s.name
  from site s where s.program_id = ${program} and s.id = ${site})`
