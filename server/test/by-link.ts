import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import * as links from '#contract/links/links.ts'
import type { Caller, Installation } from './installation.ts'

const lastMail = async (
  { owner }: Pick<Installation, 'owner'>,
  programId: number,
  label: string,
): Promise<{ subject: string; html: string } | undefined> =>
  (
    await owner.query(
      'select subject, html from mail where program_id = $1 and label = $2 order by id desc limit 1',
      [programId, label],
    )
  ).rows[0]

/** The token of the newest link of a page that an email of the label carries. */
export const mailedToken = async (
  installation: Pick<Installation, 'owner'>,
  programId: number,
  label: string,
): Promise<string> =>
  /href="[^"]*\/new\/[a-z-]+\/([\w-]{20,})"/.exec(
    (await lastMail(installation, programId, label))?.html ?? '',
  )?.[1] ?? ''

/** Opens a link as its recipient does, by the mailed code; answers calls that carry the device's cookie. */
export const openedByLink = async (
  installation: Pick<Installation, 'owner' | 'anonymous'>,
  programId: number,
  token: string,
): Promise<Pick<Caller, 'call'>> => {
  const { anonymous } = installation
  const { Key } = await anonymous.ok(links.mailLinkCode, { params: { token } })
  const Code = /\d{6}/.exec((await lastMail(installation, programId, 'LINK_code'))?.subject ?? '')?.[0] ?? ''
  const reply = await anonymous.call(links.openLink, { params: { token }, body: { Key, Code } })
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
  // The types of the endpoint are those of the caller that it wraps.
  const call = ((endpoint: AnyEndpoint, input: never) =>
    anonymous.call(endpoint, input, { headers: { cookie } })) as unknown as Caller['call']
  return { call }
}
