import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
import type { Plugin } from 'vite'
import { theme } from '../web/theme.ts'
import { cssVariables } from '../web/theme-colors.ts'

/** Mantine's own colors that screens and its style sheets name; of the others nobody needs the shades. */
const namedColors = ['blue', 'dark', 'gray', 'red', 'yellow']

const isUnused = (name: string): boolean => {
  const color = /^--mantine-color-([a-z]+)-/.exec(name)?.[1] ?? ''
  return color in DEFAULT_THEME.colors && !namedColors.includes(color)
}

const used = (variables: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !isUnused(name)))

/** The CSS variables of the theme in both color schemes, as Mantine would write them in the browser. */
export const themeStyles = (): string => {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const { variables, light, dark } = deepMerge(defaultCssVariablesResolver(merged), cssVariables)
  return convertCssVariables({
    variables: used(variables),
    light: { ...used(light), '--mantine-color-scheme': 'light' },
    dark: { ...used(dark), '--mantine-color-scheme': 'dark' },
  })
}

/**
 * Writes the theme's variables once, into the style sheet that Mantine has for those of its own theme. In the browser it would
 * reckon out six hundred of them before the first picture, and a page would carry both. `Providers` tells Mantine not to; the
 * code that would stays out of the build.
 */
export const themeWrittenOut = (): Plugin => ({
  name: 'theme-written-out',
  load(id) {
    if (id.endsWith('@mantine/core/styles/default-css-variables.layer.css')) return themeStyles()
    if (id.endsWith('/MantineCssVariables.mjs')) return 'export const MantineCssVariables = () => null'
    return undefined
  },
})
