import { PageLink } from '#web/shell/PageLink.tsx'
import { useWords } from '#web/words/use-words.ts'

/** The way back from what belongs to a connection. */
export function ConnectionCrumbs({ connection }: { connection: { Id: number; Name: string } | undefined }) {
  const words = useWords()
  return (
    <>
      <PageLink href="/new/admin/connections">{words('connections.title')}</PageLink>
      {connection && (
        <>
          {' / '}
          <PageLink href={`/new/admin/connections/${connection.Id}`}>{connection.Name}</PageLink>
        </>
      )}
    </>
  )
}
