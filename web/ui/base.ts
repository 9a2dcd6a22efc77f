/** What pages are put together from, besides what is here of the product's own. Pages take nothing from the library itself. */
export { Alert, Group, Menu, rem, Stack, Text, Tooltip, useMantineColorScheme } from '@mantine/core'
