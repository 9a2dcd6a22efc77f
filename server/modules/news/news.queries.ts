import { sql } from 'kysely'
import type { NewsItem, ShownNews } from '#contract/news/news.ts'
import type { Db } from '#server/core/database/pool.ts'

const news = (db: Db) =>
  db
    .selectFrom('admin_news as n')
    .leftJoin('modality as m', 'm.id', 'n.modality_id')
    .select(['n.id as Id', 'm.name as Modality', 'n.modality_id as ModalityId'])
    .select(['n.html as Text', 'n.date as Date', 'n.is_active as IsActive'])
    .where('n.deleted_at', 'is', null)

export const listNews = (db: Db): Promise<NewsItem[]> =>
  news(db).orderBy('n.date', 'desc').orderBy('n.id', 'desc').execute()

export const findNews = (db: Db, id: number): Promise<NewsItem | undefined> =>
  news(db).where('n.id', '=', id).executeTakeFirst()

/** Most news on a home page. */
const maxShown = 3

const shown = (db: Db, today: string) =>
  db
    .selectFrom('admin_news as n')
    .leftJoin('modality as m', 'm.id', 'n.modality_id')
    .select(['n.id as Id', 'n.html as Html', 'n.date as Date', 'm.name as Modality'])
    .where('n.deleted_at', 'is', null)
    .where('n.is_active', '=', true)
    .where('n.date', '<=', today)
    .orderBy('n.date', 'desc')
    .orderBy('n.id', 'desc')
    .limit(maxShown)

/** The newest news for a program: to all, or to its modality; none before its date. */
export const newsOfProgram = (db: Db, programId: number, today: string): Promise<ShownNews[]> =>
  shown(db, today)
    .where(
      sql<boolean>`(n.modality_id is null or n.modality_id = (select modality_id from program where id = ${programId}))`,
    )
    .execute()

/** The newest news of the installation, whomever they go to. */
export const newsOfInstallation = (db: Db, today: string): Promise<ShownNews[]> => shown(db, today).execute()
