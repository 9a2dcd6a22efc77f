import { expect, test } from 'vitest'
import { finder, searchKey, searchWords } from './search.ts'

test.each([
  ['Okafor, Amara', 'Amara Okafor'],
  ['amara okafor', 'Okafor, Amara'],
  ['O’Brien', "O'Brien"],
  ['obrien', 'O’Brien'],
  ['O`BRIEN', 'OʼBrien'],
  ['O´Brien', 'OBrien'],
  ['Reyes Montoya', 'Reyes-Montoya'],
  ['Reyes–Montoya', 'Reyes  Montoya'],
  ['alvarez', 'Álvarez'],
  ['ÁLVAREZ', 'Alvarez'],
  ['Zoe\u0308', 'Zoë'],
  ['lukasz', 'Łukasz'],
  ['søren', 'Soren'],
  ['strasse', 'Straße'],
  ['aesir', 'Æsir'],
  ['angstrom', 'Ångström'],
  ['celik', 'Çelik'],
  ['محمد', 'مُحَمَّد'],
  ['王', '王小明'],
  ['张伟', '张, 伟'],
  ['山田花子', '花子 山田'],
  ['김철수', '김, 철수'],
  ['yamada 花子', '花子, Yamada'],
  ['', 'anything'],
  [' , - ', 'anything'],
])('%j finds %j', (search, text) => {
  expect(finder(search)(text)).toBe(true)
})

test.each([
  ['Okafor, Amaru', 'Amara Okafor'],
  ['100%', '1000'],
  ['a.b', 'ab'],
  ['王', '李'],
  ['张伟', '张, 敏'],
])('%j does not find %j', (search, text) => {
  expect(finder(search)(text)).toBe(false)
})

test('a word that another one holds is not looked for twice, and the longest come first', () => {
  expect(searchWords('a Amara am, okafor amara ')).toEqual(['okafor', 'amara'])
})

test('what is compared is compared the same once more', () => {
  for (const text of ['Ǆ ﬁ İ Σς ẞ Ｗide', 'O´Brien–Łódź'])
    expect(searchKey(searchKey(text))).toBe(searchKey(text))
})
