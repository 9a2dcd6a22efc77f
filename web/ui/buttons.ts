/** The buttons of all pages, as `web/theme.ts` has them. What the first pages begin with is `PlainButton`, which needs no library. */
export { ActionIcon, Button, type ButtonProps, CloseButton, FileButton } from '@mantine/core'
