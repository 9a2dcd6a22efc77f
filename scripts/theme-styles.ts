import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
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

/**
 * The CSS variables of the theme in both color schemes, as Mantine would write them in the browser before the first picture. They take the
 * place of its style sheet for those of its own theme; `Providers` tells Mantine not to write any.
 */
export const themeStyles = (): string => {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const { variables, light, dark } = deepMerge(defaultCssVariablesResolver(merged), cssVariables)
  return convertCssVariables({
    variables: used(variables),
    light: { ...used(light), '--mantine-color-scheme': 'light' },
    dark: { ...used(dark), '--mantine-color-scheme': 'dark' },
  })
}
