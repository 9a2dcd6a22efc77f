import { resolve } from 'node:path'
import { normalizePath, type Plugin } from 'vite'
import { en } from '../web/words/en.ts'
import { hasText } from '../web/words/words.ts'

const prefix = 'virtual:words/'
// By its path: names such as `#web/` mean nothing in a module that is no file.
const catalogue = normalizePath(resolve(import.meta.dirname, '..', 'web', 'words', 'catalogue.ts'))
const domainOf = (id: string): keyof typeof en =>
  id.slice(id.indexOf(prefix) + prefix.length) as keyof typeof en

/**
 * Lets every module of the screens bring the texts of the domains that it names, so that a page loads the words that are on
 * it and not all of the product. Texts are always named in full (`'time.approve'`), which is how the domains are found.
 */
export const wordsByUse = (): Plugin => ({
  name: 'words-by-use',
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
  load: (id) =>
    id.startsWith(`\0${prefix}`)
      ? `import { addWords } from '${catalogue}'
addWords('${domainOf(id)}', ${JSON.stringify(en[domainOf(id)])})`
      : undefined,
  transform: (code, id) => {
    if (!/\/web\/.+\.tsx?$/.test(id) || id.includes('/web/words/')) return undefined
    const domains = new Set(
      [...code.matchAll(/['"`](([A-Za-z]+)\.[\w.]+)['"`]/g)]
        .filter(([, key = '']) => hasText(en, key))
        .map(([, , domain]) => domain),
    )
    // At the end, where it moves no line; imports are carried out first wherever they are.
    return domains.size === 0
      ? undefined
      : {
          code: `${code}\n${[...domains].map((domain) => `import '${prefix}${domain}'`).join('\n')}`,
          map: null,
        }
  },
})
