import { strToU8, zipSync } from 'fflate'
import type { Cell, TableColumn } from '#server/core/files/csv.ts'
import { xlsxFile } from '#server/core/files/xlsx.ts'

async function* each<T>(rows: readonly T[]) {
  yield* rows
}

/** A workbook as the product writes it; every column is text unless a kind is given. */
export const ownWorkbook = async (
  header: readonly (string | TableColumn)[],
  rows: readonly (readonly Cell[])[],
): Promise<Buffer> => {
  const columns = header.map((each) => (typeof each === 'string' ? { title: each } : each))
  const chunks: Uint8Array[] = []
  for await (const chunk of xlsxFile('Rows', columns, each(rows))) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface RawSheet {
  name: string
  /** What is in `sheetData`. */
  rows: string
  state?: 'hidden' | 'veryHidden'
}

/** A workbook of parts as Excel writes them, with their XML as given. */
export const rawWorkbook = (
  sheets: readonly RawSheet[],
  {
    strings = [],
    styles = '<cellXfs count="1"><xf numFmtId="0"/></cellXfs>',
    properties = '',
    prefix = '',
    more = {},
  }: {
    strings?: readonly string[]
    styles?: string
    properties?: string
    prefix?: string
    more?: Record<string, Uint8Array>
  } = {},
): Buffer => {
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${types}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${types}">${properties}<sheets>${sheets
      .map(
        ({ name, state }, at) =>
          `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"${state ? ` state="${state}"` : ''}/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}">${sheets
      .map(
        (_, at) =>
          `<Relationship Id="rId${at + 1}" Type="${types}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
      )
      .join(
        '',
      )}<Relationship Id="s1" Type="${types}/styles" Target="/xl/styles.xml"/><Relationship Id="s2" Type="${types}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.map((each) => `<si>${each}</si>`).join('')}</sst>`,
  }
  for (const [at, { rows }] of sheets.entries())
    parts[`xl/worksheets/sheet${at + 1}.xml`] =
      `<${prefix}worksheet><${prefix}sheetData>${rows}</${prefix}sheetData></${prefix}worksheet>`
  return Buffer.from(
    zipSync({
      ...Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])),
      ...more,
    }),
  )
}

/** Says in the directory of a ZIP that every part has so many bytes, whatever it unfolds to. */
export const lyingAboutSize = (zip: Buffer, bytes: number): Buffer => {
  const lying = Buffer.from(zip)
  for (let at = lying.indexOf('PK\u0001\u0002', 0, 'latin1'); at >= 0; ) {
    lying.writeUInt32LE(bytes, at + 24)
    at = lying.indexOf('PK\u0001\u0002', at + 4, 'latin1')
  }
  return lying
}
