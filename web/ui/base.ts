/** Building blocks that pages use as the library has them. Pages import them from here, never from the library. */
export { Alert, Group, Menu, rem, Stack, Text, Tooltip, useMantineColorScheme } from '@mantine/core'
