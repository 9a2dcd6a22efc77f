import '@mantine/spotlight/styles.css'

export { Spotlight, type SpotlightActionData, spotlight } from '@mantine/spotlight'
