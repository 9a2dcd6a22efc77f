import type pg from 'pg'

type Row = Record<string, unknown>

/** Collects rows of a table and writes them in large statements; ids are given by the caller. */
export class TableWriter {
  private rows: Row[] = []
  private readonly client: pg.ClientBase
  private readonly table: string

  constructor(client: pg.ClientBase, table: string) {
    this.client = client
    this.table = table
  }

  /** Keeps a row until the next flush and answers how many wait. All rows of a table name the same columns. */
  add(row: Row): number {
    return this.rows.push(row)
  }

  async flush(): Promise<void> {
    const first = this.rows[0]
    if (!first) return
    const columns = Object.keys(first).join(', ')
    await this.client.query(
      `insert into ${this.table} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${this.table}, $1::json)`,
      [JSON.stringify(this.rows)],
    )
    this.rows = []
  }

  /** Lets the table's own numbering go on after the highest id that was written. */
  async continueIds(): Promise<void> {
    await this.client.query(
      `select setval(pg_get_serial_sequence('${this.table}', 'id'), greatest((select max(id) from ${this.table}), 1))`,
    )
  }
}
