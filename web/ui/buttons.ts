/** The button of all pages, as `web/theme.ts` has it. What the first pages begin with is `PlainButton`, which needs no library. */
export { Button, type ButtonProps } from '@mantine/core'
