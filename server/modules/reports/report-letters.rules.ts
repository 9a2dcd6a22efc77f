import { escapeHtml } from '#server/core/mail.ts'

/** The letter about a custom report that a reader ordered: a link, for what it shows is for signed-in people only. */
export const reportLetter = (
  { Name, FirstName, Frequency }: { Name: string; FirstName: string; Frequency: 'weekly' | 'monthly' },
  address: string,
): { subject: string; html: string } => ({
  subject: `Your ${Frequency} report: ${Name}`,
  html: `<p>Hello ${escapeHtml(FirstName)},</p><p>your ${Frequency} report is ready: <a href="${escapeHtml(address)}">${escapeHtml(
    Name,
  )}</a>.</p><p>You ordered this letter on the report's page, where you can also end it.</p>`,
})
