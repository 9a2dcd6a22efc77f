export { ActionIcon, CloseButton } from '@mantine/core'
