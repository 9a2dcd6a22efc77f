import type { Plugin } from 'vite'

const sizes = /(?<![\w-])(--[\w-]*height[\w-]*|font-size|line-height|(?:min-)?height):\s*(\d*\.?\d+)px/g
const boxes = /(?<![\w-])((?:min-)?(?:width|height)):\s*(\d*\.?\d+)px/g
const smallest = 8

const inRem = (whole: string, name: string, px: string): string =>
  Number(px) > smallest ? `${name}: ${Number(px) / 16}rem` : whole

/**
 * Sizes of text, and heights of what holds it, that are written in pixels follow the size that a reader has chosen in the browser; what
 * has a height and a width grows as a whole. A hairline stays one.
 */
export const inTextSize = (css: string): string =>
  css.replace(/\{[^{}]*\}/g, (rule) =>
    (/[\s;{]height:\s*[\d.]+px/.test(rule) ? rule.replace(boxes, inRem) : rule).replace(sizes, inRem),
  )

/** Does so for the style sheets of `web/`; those of libraries do by themselves. */
export const textSize = (): Plugin => ({
  name: 'text-size',
  enforce: 'pre',
  transform: {
    filter: { id: { include: /\/web\/.*\.css(\?|$)/, exclude: /node_modules/ } },
    handler: inTextSize,
  },
})
