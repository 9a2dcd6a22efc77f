import { Popover } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useMenu } from '../escape.ts'
import { type ChipContent, ChipTarget } from './Chip.tsx'

type ChipPanelProps = {
  chip: ChipContent
  label: string
  /** px */
  width: number
  /** What is in the panel; it may close it. */
  children: (close: () => void) => ReactNode
}

/** A filter's chip with its panel, which opens at once: it takes the place of the chip that was pressed. */
export function ChipPanel({ chip, label, width, children }: ChipPanelProps) {
  const [isOpen, setOpen] = useMenu(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    button.current?.focus()
    setOpen(true)
  }, [setOpen])
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={width} trapFocus returnFocus>
      <Popover.Target>
        <ChipTarget {...chip} ref={button} onOpen={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>{children(() => setOpen(false))}</Popover.Dropdown>
    </Popover>
  )
}
