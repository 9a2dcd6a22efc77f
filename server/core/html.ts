import sanitize from 'sanitize-html'

/** The one allow-list for HTML of editors: text, lists, tables, links and pictures of this installation. */
const options: sanitize.IOptions = {
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
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }, true) },
  disallowedTagsMode: 'discard',
}

/** Cleans HTML on its way in; what is kept may be shown as it is. */
export const cleanHtml = (html: string): string =>
  sanitize(html, {
    ...options,
    allowedAttributes: { ...options.allowedAttributes, a: ['href', 'title', 'rel'] },
  })
