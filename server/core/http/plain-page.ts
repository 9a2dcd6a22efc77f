/** Text as it is written in HTML, in and out of attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A button that posts to the page's own address. */
export interface PlainButton {
  label: string
  /** What is posted with it. */
  name: string
  value: string
}

/** A link in place of a button, which opens a window of its own. */
export interface PlainLink {
  label: string
  href: string
}

const linkHtml = ({ label, href }: PlainLink): string =>
  `<p class="link"><a href="${escaped(href)}" target="_blank" rel="noopener">${escaped(label)}</a></p>`

const buttonHtml = ({ label, name, value }: PlainButton): string =>
  `<form method="post"><button name="${escaped(name)}" value="${escaped(value)}">${escaped(label)}</button></form>`

/** A page of a few lines for whom the application is not there: it brings its own style and needs no script. */
export const plainPage = (
  title: string,
  text: string,
  action?: PlainButton | PlainLink,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Practicum</title>
<style>
body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: #F7F5F2; color: #1F1D1A; font: 15px/22px system-ui, sans-serif }
main { max-width: 440px; margin: 16px; padding: 24px; border: 1px solid #E6E1DA; border-radius: 16px; background: #FFFFFF }
h1 { margin: 0 0 8px; font-size: 22px; line-height: 28px }
p { margin: 0; overflow-wrap: anywhere }
form, .link { margin-top: 16px }
button, a { display: inline-flex; align-items: center; min-height: 44px; padding: 0 18px; border: 0; border-radius: 10px; background: #1F1D1A; color: #FFFFFF; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer }
button:focus-visible, a:focus-visible { outline: 2px solid currentColor; outline-offset: 2px }
@media (prefers-color-scheme: dark) {
  body { background: #131210; color: #ECE9E4 }
  main { border-color: #312E2A; background: #1B1A18 }
  button, a { background: #ECE9E4; color: #131210 }
}
</style>
</head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${
  action ? ('href' in action ? linkHtml(action) : buttonHtml(action)) : ''
}</main></body>
</html>`
