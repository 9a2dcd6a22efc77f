import { PageLink } from '#web/shell/PageLink.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import type { Design } from './use-lists.ts'

const screens = [
  'rules',
  'major-studies',
  'procedures',
  'exam-items',
  'participation-levels',
  'pathologies',
] as const
export type CompetencyScreen = (typeof screens)[number]

/** The screens of one list, side by side; the list goes along in the address. */
export function CompetencyNav({ design, current }: { design: Design; current: CompetencyScreen }) {
  const words = useWords()
  const { listId } = design.params
  const names: Record<CompetencyScreen, string> = {
    rules: words('competencies.rules'),
    'major-studies': words('competencies.majorStudies'),
    procedures: words('competencies.procedures'),
    'exam-items': words('competencies.examItems'),
    'participation-levels': words('competencies.levels'),
    pathologies: words('competencies.pathologies'),
  }
  return (
    <span className={classes.nav}>
      <PageLink href="/new/admin/competencies/lists">{words('competencies.lists')}</PageLink>
      {listId > 0 &&
        screens
          .filter((screen) => screen !== 'rules' || design.mayDesign)
          .map((screen) => (
            <PageLink
              key={screen}
              href={`/new/admin/competencies/${screen}?list=${listId}`}
              aria-current={screen === current ? 'page' : undefined}
              className={screen === current ? classes.here : undefined}
            >
              {names[screen]}
            </PageLink>
          ))}
    </span>
  )
}

/** Which list the screen is about; shown beside the title. */
export function ListChip({ design }: { design: Design }) {
  const words = useWords()
  const { listId } = design.params
  return (
    <SelectChip
      name={words('competencies.list')}
      fixed
      none={words('competencies.noList')}
      options={(design.lists.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
      value={listId > 0 ? String(listId) : null}
      onChange={(id) => id && design.choose(Number(id))}
    />
  )
}
