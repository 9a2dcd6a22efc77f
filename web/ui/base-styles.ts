/** What the first page needs of Mantine's styles; everything else comes with `all-styles.ts`. */
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import './base-styles.css'
