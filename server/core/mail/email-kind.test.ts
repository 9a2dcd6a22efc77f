import { expect, test } from 'vitest'
import { digest, email, textOf } from './email-kind.ts'
import { line, text } from './mail-fields.ts'

test('a text may name what its kind offers, and the compiler refuses anything else', () => {
  const facts = { person: 'student', fields: { 'student.name': text('The student', 'Ada Example') } } as const
  const kind = email({
    ...facts,
    parameters: [line('Help', 'Whom to ask')],
    about: 'Locker. Tells a student which locker is theirs.',
    en: ['Your locker, {{student.name}}', '{{parameter.Help}}', '{{program.name}}: {{student.email}}'],
  })
  expect(textOf(kind, 'en')).toEqual({
    subject: 'Your locker, {{student.name}}',
    html: '<p>{{parameter.Help}}</p><p>{{program.name}}: {{student.email}}</p>',
  })
  expect(textOf(kind, 'es')).toEqual({ subject: '', html: '' })
  // @ts-expect-error no placeholder of the kind
  email({ ...facts, about: 'Locker.', en: ['Your locker', 'Hello {{student.nmae}}'] })
  // @ts-expect-error nor of its Spanish text
  email({ ...facts, about: 'Locker.', en: ['Your locker'], es: ['Su casillero', '{{locker.number}}'] })
  const told = { page: '/new/home', summary: ['One', 'Many'], line: 'A line', about: 'Locker.' } as const
  // @ts-expect-error a digest offers the name of its own person
  digest('student', { ...told, en: ['Hello {{coordinator.firstName}}'] })
})
