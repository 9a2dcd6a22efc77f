import { listPageNotes } from '#contract/menus/menus.ts'
import { getGlobals, getProgramMenu, getState } from '#contract/session/session.ts'
import { getTerms } from '#contract/terminology/terminology.ts'

/** The reads of what surrounds every page of a member: kept without a network, and never a page's own content. */
export const aroundPages = [getState, getGlobals, getTerms, getProgramMenu, listPageNotes]
