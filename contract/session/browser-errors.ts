import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Line } from '#contract/core/fields.ts'

/** Most places in the code that are told of one error. */
export const maxPlaces = 6

/**
 * What broke in a browser, for System Status and the log. Nothing of it is about a person: texts are taken out of the message, and
 * the address is that of the page, not of what it shows.
 */
export const reportBrowserError = endpoint({
  method: 'POST',
  path: '/browser-errors',
  may: 'everyone',
  changes: false,
  duringStep: true,
  summary: 'Tell of an error that a page ran into',
  body: z.strictObject({
    /** Such as `TypeError`. */
    Kind: Line(40),
    Message: Line(200),
    /** The address of the page below `/new/`. */
    Page: Line(200),
    /** Where in the product’s own files, the innermost first: `name.js:line:column`. */
    Places: z.array(Line(120)).max(maxPlaces, `can have at most ${maxPlaces} entries`),
  }),
})
