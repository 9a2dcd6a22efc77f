/** The text of some HTML, paragraphs as lines. */
export function textOfHtml(html: string): string {
  const page = new DOMParser().parseFromString(html.replace(/<br\s*\/?>/gi, '\n'), 'text/html')
  const blocks = [...page.body.querySelectorAll('p, h1, h2, h3, h4, li, blockquote, pre')].filter(
    (block) => !block.querySelector('p, li'),
  )
  return blocks.length > 0
    ? blocks.map((block) => block.textContent ?? '').join('\n')
    : (page.body.textContent ?? '')
}

/** Text as the simplest HTML that keeps its lines. */
export function htmlOfText(text: string): string {
  return text
    .split('\n')
    .map(
      (line) => `<p>${line.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;')}</p>`,
    )
    .join('')
}
