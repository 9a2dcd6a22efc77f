import type { Language } from '#contract/language/language.ts'
import { inLanguage, sentence } from '#contract/language/texts.ts'
import type { PlacementRule } from '#contract/scheduling/scheduling-rules.ts'
import { ownRefusals } from '#contract/shift-changes/own-refusals.ts'

/** What keeps a student off a shift that a list shows, in their language. */
export const blockedBy = (
  Rule: PlacementRule,
  language: Language,
): { Rule: PlacementRule; Message: string } => ({
  Rule,
  Message: inLanguage(sentence(ownRefusals[Rule]), language),
})
