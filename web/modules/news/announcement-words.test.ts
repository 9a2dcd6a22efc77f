import { expect, test } from 'vitest'
import { announcementCategories } from '#contract/news/announcements.ts'
import { termDefaults, termsOf } from '#contract/terminology/terminology.ts'
import { wordsOf } from '#web/words/plain-words.ts'
import { categoryWord } from './announcement-words.ts'

test("A83 D2-002 the readers of an announcement are called by the program's own words", () => {
  const own = {
    supervisor: 'preceptor',
    siteEmployee: 'clinic employee',
    faculty: 'instructor',
    alumnus: 'graduate',
  }
  const words = wordsOf(
    termsOf(
      Object.entries(own).map(([key, Value]) => ({
        KeyId: termDefaults[key as keyof typeof own].keyId,
        Value,
        Singular: '',
        Plural: 's',
      })),
    ),
  )
  expect(announcementCategories.map((category) => words(categoryWord[category]))).toEqual([
    'All',
    'Students',
    'Registrants',
    'Graduates',
    'Instructors',
    'Preceptors',
    'Clinic employees',
    'Staff',
  ])
})
