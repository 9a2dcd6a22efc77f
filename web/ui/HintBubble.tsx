import { Tooltip } from '@mantine/core'

type Props = { target: HTMLElement; text: string; isOpen: boolean; width?: number }

/** The words of a hint, beside what it is about. */
export function HintBubble({ target, text, isOpen, width }: Props) {
  return <Tooltip target={target} label={text} opened={isOpen} {...(width && { maw: width })} />
}
