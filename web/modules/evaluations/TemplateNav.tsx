import { PageLink } from '#web/shell/PageLink.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import type { Design } from './use-design.ts'

const screens = ['templates/edit', 'items', 'fib-items', 'order-items', 'score-types'] as const
type Screen = (typeof screens)[number]

/**
 * The screens of one template, side by side; the template goes along in the address. Without a template, 0, there are none, and
 * until it is known they keep their room.
 */
export function TemplateNav({ templateId, current }: { templateId: number | undefined; current: Screen }) {
  const words = useWords()
  const names: Record<Screen, string> = {
    'templates/edit': words('evaluations.settings'),
    items: words('evaluations.items'),
    'fib-items': words('evaluations.fibItems'),
    'order-items': words('evaluations.order'),
    'score-types': words('evaluations.scoreValues'),
  }
  const query = (screen: Screen) => (screen === 'templates/edit' ? 'id' : 'template')
  return (
    <span className={classes.nav}>
      <PageLink href="/new/admin/evaluations/templates">{words('evaluations.templates')}</PageLink>
      {templateId !== 0 &&
        screens.map((screen) => (
          <PageLink
            key={screen}
            href={`/new/admin/evaluations/${screen}?${query(screen)}=${templateId}`}
            aria-current={screen === current ? 'page' : undefined}
            className={screen === current ? classes.here : undefined}
            data-unknown={templateId === undefined || undefined}
          >
            {names[screen]}
          </PageLink>
        ))}
    </span>
  )
}

/** Which template the screen is about; shown beside the title. */
export function TemplateChip({ design }: { design: Design }) {
  const words = useWords()
  return (
    <SelectChip
      name={words('evaluations.template')}
      fixed
      none={words('evaluations.noTemplate')}
      options={(design.templates.data ?? []).map(({ Id, Title }) => ({ value: String(Id), label: Title }))}
      value={design.params.templateId > 0 ? String(design.params.templateId) : null}
      onChange={(id) => design.choose(id ? Number(id) : null)}
    />
  )
}
