import { createElement } from 'react'
import { type Later, useOpening } from '../later.tsx'
import { Chip, type ChipContent } from './Chip.tsx'

type PanelChipProps<Props> = {
  chip: ChipContent
  /** The chip with its panel. */
  panel: Later<Props>
  props: Props
}

/** A chip that becomes the one with its panel when it is pressed. */
export function PanelChip<Props extends object>({ chip, panel, props }: PanelChipProps<Props>) {
  const { isOpened, open, near } = useOpening(panel)
  if (isOpened) return createElement(panel, props)
  return (
    <Chip {...chip} button={{ ...near, 'aria-haspopup': 'dialog', 'aria-expanded': false, onClick: open }} />
  )
}
