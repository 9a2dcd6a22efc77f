import type loadHighs from 'highs'

export type Highs = Awaited<ReturnType<typeof loadHighs>>

/** The solver of linear programs, once for each process: 3.5 MB of WebAssembly. Processes that solve nothing do not load it. */
export const openHighs = async (): Promise<Highs> => (await import('highs')).default()

/** A linear program as it is built, column by column. */
export class Program {
  private readonly costs: number[] = []
  private readonly lower: number[] = []
  private readonly upper: number[] = []
  private readonly isWhole: number[] = []
  private readonly starts: number[] = [0]
  private readonly rows: number[] = []
  private readonly values: number[] = []
  private readonly rowLower: number[] = []
  private readonly rowUpper: number[] = []

  addRow(lower: number, upper: number): number {
    this.rowLower.push(lower)
    this.rowUpper.push(upper)
    return this.rowLower.length - 1
  }

  /** @param rows each with 1 as its value, or with the one of `values` at its place */
  addColumn(
    cost: number,
    upper: number,
    rows: readonly number[],
    isWhole = false,
    values?: readonly number[],
  ): number {
    this.costs.push(cost)
    this.lower.push(0)
    this.upper.push(upper)
    this.isWhole.push(isWhole ? 1 : 0)
    for (const [index, row] of rows.entries()) {
      this.rows.push(row)
      this.values.push(values?.[index] ?? 1)
    }
    this.starts.push(this.rows.length)
    return this.costs.length - 1
  }

  get columns(): number {
    return this.costs.length
  }

  /**
   * Solves it. Limits are of iterations and nodes, never of time, so that the answer is the same each time; undefined when there is
   * none.
   */
  solve(
    highs: Highs,
    options: Record<string, boolean | number | string>,
  ): { objective: number; values: Float64Array; isProved: boolean } | undefined {
    const model = highs.createModel({
      numCols: this.costs.length,
      numRows: this.rowLower.length,
      colCost: Float64Array.from(this.costs),
      colLower: Float64Array.from(this.lower),
      colUpper: Float64Array.from(this.upper),
      rowLower: Float64Array.from(this.rowLower),
      rowUpper: Float64Array.from(this.rowUpper),
      matrix: {
        format: 'csc',
        numRows: this.rowLower.length,
        numCols: this.costs.length,
        starts: Int32Array.from(this.starts),
        indices: Int32Array.from(this.rows),
        values: Float64Array.from(this.values),
      },
      ...(this.isWhole.includes(1) && { integrality: Int32Array.from(this.isWhole) }),
    })
    try {
      model.options.set({ output_flag: false, random_seed: 0, ...options })
      model.run()
      const values = model.getSolution().colValue
      const objective = model.getObjectiveValue()
      return values.length === 0 || !Number.isFinite(objective)
        ? undefined
        : { objective, values, isProved: model.getModelStatus() === highs.constants.modelStatus.optimal }
    } finally {
      model.dispose()
    }
  }
}
