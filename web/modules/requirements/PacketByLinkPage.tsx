import { IconDownload, IconFileZip } from '@tabler/icons-react'
import type { LinkState } from '#contract/links/links.ts'
import { downloadPacketByLink, downloadPacketZipByLink, openPacket } from '#contract/requirements/packets.ts'
import { callAddress } from '#web/api/call.ts'
import { useParams } from '#web/api/place.ts'
import { useRead } from '#web/api/use-call.ts'
import { LinkGate } from '#web/shared/LinkGate.tsx'
import { LinkPaper } from '#web/shared/LinkPaper.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './packets.module.css'

/** A packet for its recipient at the site: behind the link and a mailed code, without an account. */
export function PacketByLinkPage() {
  const { token = '' } = useParams()
  const words = useWords()
  return (
    <LinkGate token={token} kind="packet" title={words('packets.byLinkTitle')}>
      {(link) => <OpenedPacket token={token} link={link} />}
    </LinkGate>
  )
}

function OpenedPacket({ token, link }: { token: string; link: LinkState }) {
  const words = useWords()
  const packet = useRead(openPacket, { params: { token } })
  const { data } = packet
  return (
    <LinkPaper
      title={words('packets.byLinkTitle')}
      link={link}
      heading={data?.Site}
      action={
        data && (
          <div className={classes.files}>
            <Button
              component="a"
              variant="default"
              size="md"
              href={callAddress(downloadPacketByLink, { params: { token } })}
              download
              leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
            >
              {words('packets.download')}
            </Button>
            {data.Students.length > 1 && (
              <Button
                component="a"
                variant="default"
                size="md"
                href={callAddress(downloadPacketZipByLink, { params: { token } })}
                download
                leftSection={<IconFileZip size={17} stroke={1.75} aria-hidden />}
              >
                {words('packets.zip')}
              </Button>
            )}
          </div>
        )
      }
    >
      {packet.error && (
        <PageMessage kind="error" text={packet.error.message} onRetry={() => void packet.refetch()} />
      )}
      {data && (
        <>
          <p className={classes.quiet}>
            {words('packets.asOf', { date: formatDate(data.OnDay), name: data.By })}
          </p>
          <p className={classes.notice}>{words('packets.notice')}</p>
          {data.Students.map(({ Name, Lines }) => (
            <section key={Name} className={classes.student} aria-label={Name}>
              <h2>
                {Name}
                <span>
                  {words('packets.metOf', {
                    met: Lines.filter(({ IsMet }) => IsMet).length,
                    all: Lines.length,
                  })}
                </span>
              </h2>
              <ul>
                {Lines.map((line) => (
                  <li key={line.Name}>
                    <span>{line.Name}</span>
                    <small>
                      {[
                        line.CompletedOn &&
                          words('packets.completed', { date: formatDate(line.CompletedOn) }),
                        line.ValidTo && words('packets.validTo', { date: formatDate(line.ValidTo) }),
                      ]
                        .filter(Boolean)
                        .join(' ')}
                    </small>
                    <StatusTag status={line.IsMet ? 'approved' : 'rejected'}>
                      {words(
                        line.IsMet ? (line.IsExempt ? 'packets.exempt' : 'packets.met') : 'packets.openLine',
                      )}
                    </StatusTag>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </>
      )}
    </LinkPaper>
  )
}
