import { sql } from 'kysely'
import type { Db } from '#server/core/database/pool.ts'
import { changeRow, type RowChange } from '#server/core/database/rows.ts'

export const changeTemplate = (db: Db, id: number, values: RowChange<'mail_template'>): Promise<boolean> =>
  changeRow(db, 'mail_template', { id }, values)

/** Changes places with the next one in this direction; the first and the last stay where they are. */
export const moveTemplate = async (db: Db, id: number, direction: 'up' | 'down'): Promise<void> => {
  // Two people who move at the same moment wait for each other, and each move then sees the places as they are.
  await sql`select id from mail_template order by id for update`.execute(db)
  const [isBeyond, order] =
    direction === 'up' ? [sql`t.place < m.place`, sql`t.place desc`] : [sql`t.place > m.place`, sql`t.place`]
  await sql`
    with me as (select id, place from mail_template where id = ${id}),
      other as (select t.id, t.place from mail_template t, me m where ${isBeyond} order by ${order} limit 1)
    update mail_template t set place = case when t.id = me.id then other.place else me.place end
    from me, other where t.id in (me.id, other.id)`.execute(db)
}
