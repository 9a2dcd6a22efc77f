import * as contract from '#contract/saml/saml.ts'
import { makeRow } from './factories.ts'
import type { Installation } from './installation.ts'

/** How a sign-in by a college ends, for whoever holds its code and the cookie of the browser that began. */
export const collegeSignIn = ({ anonymous, owner }: Installation) => ({
  /** Gives somebody a name at a provider. */
  linkAs: (made: { Id: number; ProgramId: number | null }, subject: string, provider: number) =>
    makeRow(owner, 'saml_user', {
      program_id: made.ProgramId,
      account_id: made.Id,
      provider_id: provider,
      name_id: subject,
    }),
  users: (guid: string, cookie: string) =>
    anonymous.call(contract.listCollegeAccounts, { params: { guid } }, { headers: { cookie } }),
  enter: (guid: string, UserId: number, cookie: string, Code?: string) =>
    anonymous.call(
      contract.loginByCollege,
      { body: { UserId, Guid: guid, ...(Code && { Code }) } },
      { headers: { cookie } },
    ),
  link: (guid: string, cookie: string, UserName: string, Password: string, Code?: string) =>
    anonymous.call(
      contract.linkCollege,
      { body: { Guid: guid, UserName, Password, ...(Code && { Code }) } },
      { headers: { cookie } },
    ),
})
