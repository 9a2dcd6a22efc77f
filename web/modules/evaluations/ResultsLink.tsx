import { IconChartBar } from '@tabler/icons-react'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { useWords } from '#web/words/use-words.ts'

/** The way to the results, from the lists that they are made of. */
export function ResultsLink(props: { address?: string; label?: string }) {
  const words = useWords()
  return (
    <Button
      variant="default"
      leftSection={<IconChartBar size={17} stroke={1.75} aria-hidden />}
      renderRoot={(root) => <PageLink href={props.address ?? '/new/admin/evaluations/results'} {...root} />}
    >
      {props.label ?? words('evaluations.results')}
    </Button>
  )
}
