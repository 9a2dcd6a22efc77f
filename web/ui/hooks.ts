export { useDebouncedValue, useFocusTrap } from '@mantine/hooks'
