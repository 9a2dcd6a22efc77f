import type { Requirement } from '#contract/requirements/requirement-design.ts'
import { ruleDetail, ruleWord } from '#contract/requirements/rule-text.ts'
import type { ExportColumn } from '#server/core/files/table.ts'

/** The columns of `requirements.csv`, as the import reads them. */
export const requirementColumns: readonly ExportColumn<Requirement>[] = [
  { title: 'Name', width: 36, value: ({ Name }) => Name },
  { title: 'Kind', width: 16, value: ({ Kind }) => Kind },
  { title: 'Rule', width: 18, value: (row) => ruleWord(row) },
  { title: 'Detail', width: 70, value: ({ Rule, Instructions }) => Instructions || ruleDetail(Rule) },
  { title: 'BlocksPlacement', width: 16, value: ({ BlocksPlacement }) => (BlocksPlacement ? 'Y' : 'N') },
  { title: 'Evidence', width: 12, value: ({ NeedsFile }) => (NeedsFile ? 'Y' : 'N') },
]
