import { expect, test } from 'vitest'
import { previewPath } from './email-store.ts'

test('D2-216 D2-006 the number in the address of a preview is whole and below 2147483648', () => {
  expect(previewPath(() => 0)).toBe('admin/emails/preview?rnd=0')
  expect(previewPath(() => 1 - Number.EPSILON)).toBe('admin/emails/preview?rnd=2147483647')
  for (let n = 0; n < 50; n++) expect(previewPath()).toMatch(/^admin\/emails\/preview\?rnd=\d{1,10}$/)
})
