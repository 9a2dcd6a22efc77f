import { describe, expect, test } from 'vitest'
import { cssVariables } from './theme-colors.ts'

/** Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2). */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How two colors stand out from each other, 1 to 21 (WCAG 2.2). */
const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const color = (name: string): string => cssVariables[scheme][`--p-${name}`]!

  test('frames of fields, controls and focus rings stand out 3:1 from what is around them', () => {
    const low = [
      ['field', 'fieldbg'],
      ['field', 'surface'],
      ['control', 'surface'],
      ['ink', 'surface'],
      ['ink', 'canvas'],
      ['brand', 'surface'],
    ].filter(([mark = '', ground = '']) => contrast(color(mark), color(ground)) < 3)
    expect(low).toEqual([])
  })

  test('text stands out 4.5:1 from every ground', () => {
    const low = ['canvas', 'surface', 'raised', 'sunken', 'hover', 'aside'].flatMap((ground) =>
      ['text', 'muted']
        .filter((text) => contrast(color(text), color(ground)) < 4.5)
        .map((text) => [text, ground]),
    )
    expect(low).toEqual([])
  })
})
