import type { OptionSource } from '../choice/use-options.ts'

type Common = OptionSource & {
  /** The filter's name, shown before the value. */
  name: string
  /** What is there when nothing is chosen: 'All', 'Any'. */
  none?: string
  /** Names of chosen values that are not among `options`. */
  chosenLabels?: Record<string, string>
  /** Without ×: one value always counts (Status Pending). */
  fixed?: boolean
}

export type SelectChipProps = Common &
  (
    | { multi?: false; value: string | null; onChange: (value: string | null) => void }
    | { multi: true; value: string[]; onChange: (value: string[]) => void; most?: number }
  )
