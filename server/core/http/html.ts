import type Sanitize from 'sanitize-html'
import { packageOnDemand } from '#server/core/runtime/on-demand.ts'

const sanitizer = packageOnDemand<typeof Sanitize>('sanitize-html')

/** The address of a picture of this installation, below any root: pictures from elsewhere would tell who reads, and when. */
const ownPicture = /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/new\/api\/pictures\/[0-9a-f]{40}$/

/** Addresses that links may have: of the web, mail, telephone, this installation, or a field that becomes one. */
const link = /^(https?:\/\/|mailto:|tel:|\/(?![/\\])|[#?]|\{\{)/i

/** The one allow-list for HTML of editors: text, lists, tables, links and pictures of this installation. */
const options: Sanitize.IOptions = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'b',
    'strong',
    'i',
    'em',
    'u',
    's',
    'sub',
    'sup',
    'mark',
    'code',
    'pre',
    'blockquote',
    'h1',
    'h2',
    'h3',
    'h4',
    'ul',
    'ol',
    'li',
    'a',
    'img',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'span',
    'div',
  ],
  allowedAttributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'width', 'height'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, { href = '', title }) => ({
      tagName,
      attribs: {
        ...(link.test(href.trim()) && { href: href.trim() }),
        ...(title !== undefined && { title }),
        rel: 'noopener noreferrer nofollow',
      },
    }),
  },
  disallowedTagsMode: 'discard',
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !ownPicture.test(attribs.src ?? ''),
}

/** Cleans HTML on its way in; what is kept may be shown as it is. */
export const cleanHtml = (html: string): string =>
  sanitizer()(html, {
    ...options,
    allowedAttributes: { ...options.allowedAttributes, a: ['href', 'title', 'rel'] },
  })

/** The cleaned HTML of a body that was sent in base64; bytes that are no UTF-8 become replacement signs. */
export const cleanBase64Html = (base64: string): string =>
  cleanHtml(Buffer.from(base64, 'base64').toString('utf8'))

/** Whether HTML shows anything at all: text or a picture. */
export const isEmptyHtml = (html: string): boolean =>
  !/<(img|hr)\b/i.test(html) && sanitizer()(html, { allowedTags: [], allowedAttributes: {} }).trim() === ''

/** Plain text that was sent in base64 as HTML: every line a paragraph, and no sign of it markup. */
export const htmlOfBase64Text = (base64: string): string => {
  const text = Buffer.from(base64, 'base64').toString('utf8').replace(/\r\n?/g, '\n')
  const escaped = text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;')
  return cleanHtml(
    escaped
      .split('\n')
      .map((line) => `<p>${line}</p>`)
      .join(''),
  )
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The words of some HTML in one line, at most so many characters; for lists that show how a text begins. */
export const textOfHtml = (html: string, most: number): string => {
  const text = sanitizer()(html.replace(/<(?=\/?(p|br|li|h\d|div|tr)\b)/gi, ' <'), {
    allowedTags: [],
    allowedAttributes: {},
  })
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => entities[name]!)
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
