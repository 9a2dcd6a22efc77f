/** HTML that the server has cleaned by its one allow-list before it kept it. */
export function Html({ html, className }: { html: string; className?: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned on the way in
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />
}
