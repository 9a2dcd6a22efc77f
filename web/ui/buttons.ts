/** The button of every page, styled in `web/theme.ts`. Pages that must load first use `PlainButton`, which needs no library. */
export { Button, type ButtonProps } from '@mantine/core'
