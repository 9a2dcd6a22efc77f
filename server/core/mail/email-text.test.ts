import { expect, test } from 'vitest'
import { compile, fillHtml, fillText, htmlList, htmlOfTyped } from './email-text.ts'

const kinds = { name: 'text', list: 'html', note: 'lines' } as const
const terms = { site: 'hospital', Sites: 'Hospitals & more' }
const html = (text: string, values: Parameters<typeof fillHtml>[1]) =>
  fillHtml(compile(text, kinds), values, terms)

test('values are escaped, never looked through again, and terms follow the program', () => {
  expect(html('<p>{{name}} at {site}, {Sites}</p>', { name: '<b>{{list}} {site} "x"' })).toBe(
    '<p>&lt;b&gt;{{list}} {site} &quot;x&quot; at hospital, Hospitals &amp; more</p>',
  )
})

test('what is no placeholder stays as it is', () => {
  expect(html('<p>{nothing} {{unknown}} { site } {{name}}</p>', { name: 'A' })).toBe(
    '<p>{nothing} {{unknown}} { site } A</p>',
  )
})

test('a paragraph of one placeholder makes room for a list, and goes when there is nothing', () => {
  expect(
    html('<p>a</p><p> {{list}} </p><p>{{name}}</p><p>{{note}}</p>', { list: htmlList(['<x>']), name: '' }),
  ).toBe('<p>a</p><ul><li>&lt;x&gt;</li></ul>')
  expect(html('<p>{{note}}</p>', { note: 'one\ntwo <3' })).toBe('<p>one<br>two &lt;3</p>')
})

test('a subject is one line without HTML', () => {
  const fill = (text: string, values: Parameters<typeof fillText>[1]) =>
    fillText(compile(text, kinds), values, terms)
  expect(fill('{{name}} & {Sites} {{list}}', { name: 'A\r\nBcc: x@y.example', list: htmlList(['z']) })).toBe(
    'A Bcc: x@y.example & Hospitals & more',
  )
})

test('typed text keeps its paragraphs and lines, and nothing in it is markup', () => {
  expect(htmlOfTyped('One\ntwo\n\n <b>three</b> \n\n\n')).toEqual({
    html: '<p>One<br>two</p><p>&lt;b&gt;three&lt;/b&gt;</p>',
  })
  expect(htmlOfTyped(' \n ')).toEqual({ html: '' })
})
