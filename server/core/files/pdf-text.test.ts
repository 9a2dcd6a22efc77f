import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type PdfTable, pdfFile } from './pdf.ts'
import { filesOf, ownFont, runsOf, UndrawableText } from './pdf-text.ts'

const fontsOf = (text: string): string[] => {
  const runs = runsOf(text)
  return typeof runs === 'string' ? [ownFont] : [...new Set(runs.map(({ font }) => font.split(' ')[0]!))]
}
const drawn = (text: string): string => {
  const runs = runsOf(text)
  return typeof runs === 'string' ? runs : runs.map((run) => run.text).join('')
}

test.each([
  ['Ruiz-Peña, Zoë', ownFont],
  ['Nguyễn Thị Ngọc Ánh', ownFont],
  ['Ọláìyá', ownFont],
  ['Олександр', ownFont],
  ['王小明', 'noto-sans-sc'],
  ['歐陽靜怡', 'noto-sans-sc'],
  ['髙橋々 さくら', 'noto-sans-sc'],
  ['김민준', 'noto-sans-kr'],
  ['محمد علي', 'noto-sans-arabic'],
  ['דוד לוי', 'noto-sans-hebrew'],
  ['प्रिया शर्मा', 'noto-sans'],
  ['সুমাইয়া', 'noto-sans-bengali'],
  ['ਗੁਰਪ੍ਰੀਤ', 'noto-sans-gurmukhi'],
  ['ગુજરાતી', 'noto-sans-gujarati'],
  ['தமிழ்', 'noto-sans-tamil'],
  ['తెలుగు', 'noto-sans-telugu'],
  ['ಕನ್ನಡ', 'noto-sans-kannada'],
  ['മലയാളം', 'noto-sans-malayalam'],
  ['සිංහල', 'noto-sans-sinhala'],
  ['สมชาย', 'noto-sans-thai'],
  ['ລາວ', 'noto-sans-lao'],
  ['ខ្មែរ', 'noto-sans-khmer'],
  ['မြန်မာ', 'noto-sans-myanmar'],
  ['አበበ', 'noto-sans-ethiopic'],
  ['Հայկ', 'noto-sans-armenian'],
  ['გიორგი', 'noto-sans-georgian'],
])('%s is drawn in the font of its script', (name, font) => {
  expect(fontsOf(name)).toEqual([font])
  const runs = runsOf(name)
  for (const run of typeof runs === 'string' ? [] : runs)
    if (run.font !== ownFont)
      for (const file of Object.values(filesOf(run.font))) expect(existsSync(file), file).toBe(true)
})

test('right-to-left and left-to-right text are mixed in one line, with words and brackets in their places', () => {
  expect(runsOf('محمد علي')).toEqual([{ text: 'محمد\u00A0علي', font: 'noto-sans-arabic arabic' }])
  expect(runsOf('Levi, דוד (MD)')).toEqual([
    { text: 'Levi, ', font: ownFont },
    { text: 'דוד', font: 'noto-sans-hebrew hebrew' },
    { text: ' (MD)', font: ownFont },
  ])
  // The family name comes first, which is on the right.
  const runs = runsOf('المصري, محمد')
  expect(Array.isArray(runs) && runs.map(({ text }) => text)).toEqual(['محمد', '\u00A0,', 'المصري'])
  expect(drawn('דוד (לוי) 12')).toMatch(/^12.*\(.*\).*דוד/s)
})

test('pictures are left out; letters that no font has are refused by the text they are in', () => {
  for (const picture of ['😀', '👩🏽‍⚕️', '❤️', '🇺🇸', '1️⃣', '👍🏿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])
    expect(drawn(`Zoë ${picture} Ruiz`), picture).toBe('Zoë  Ruiz')
  expect(() => runsOf('Ada 𓀀')).toThrow(UndrawableText)
})

test('a table in a PDF has rows, headings and cells, empty ones too, and its headings once on many pages', async () => {
  const table: PdfTable = {
    title: 'Hours',
    lines: ['All students'],
    by: 'Ada',
    at: 'today',
    columns: [{ title: 'Student' }, { title: 'Hours', isFigure: true }],
    rows: ['Radiography', ...Array.from({ length: 80 }, (_, at) => [at % 2 ? '' : 'Zoë', String(at)])],
    totals: ['Total', '3,160'],
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of pdfFile('Hours', table).chunks) chunks.push(chunk as Uint8Array)
  const pdf = Buffer.concat(chunks).toString('latin1')
  const count = (type: string) => pdf.match(new RegExp(`/S /${type}\\b`, 'g'))?.length ?? 0
  expect(pdf.match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(2)
  expect(['H1', 'P', 'Table', 'TR', 'TH', 'TD'].map(count)).toEqual([1, 1, 1, 83, 3, 162])
  expect(pdf.match(/\/Scope \/Column/g)).toHaveLength(3)
  expect(pdf.match(/\/ColSpan 2/g)).toHaveLength(1)
})

test('a PDF of several reports is called as its file, not as the first of them', async () => {
  const report = (title: string): PdfTable => ({
    title,
    lines: [],
    by: 'Amara Okafor',
    at: '11/02/2026 08:00',
    columns: [{ title: 'Student' }],
    rows: [],
  })
  const titleOf = async (reports: Parameters<typeof pdfFile>[1]) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of pdfFile('Clinical II, Draft 1', reports).chunks)
      chunks.push(chunk as Uint8Array)
    const pdf = Buffer.concat(chunks).toString('latin1')
    const object = /\/Title (\d+) 0 R/.exec(pdf)?.[1]
    return new RegExp(`\\b${object} 0 obj\\s*\\(([^)]*)\\)`).exec(pdf)?.[1]
  }
  expect(await titleOf(report('Equity'))).toContain('Equity')
  expect(await titleOf([report('Ranks reached'), report('Equity')])).toContain('Clinical II, Draft 1')
})

test('a PDF with a name that cannot be drawn is refused in a sentence that names it', async () => {
  const table: PdfTable = {
    title: 'Hours',
    lines: [],
    by: 'Ada',
    at: 'today',
    columns: [{ title: 'Student' }],
    rows: [['Ada 𓀀']],
  }
  const read = async () => {
    for await (const _ of pdfFile('Hours', table).chunks);
  }
  await expect(read()).rejects.toMatchObject({ status: 422, message: expect.stringContaining('“Ada 𓀀”') })
})
