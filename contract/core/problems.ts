import { type Filling, type Sentence, sentence, type Text, text } from '#contract/language/texts.ts'

/**
 * What can be wrong with a field. English goes on after the field's label where it begins with a small letter; Spanish is a sentence that
 * stands behind the label and a colon. What only staff fill in has no Spanish.
 */
export const problems = {
  required: text('is required', 'Este campo es obligatorio.'),
  invalid: text('is not valid', 'No es válido.'),
  text: text('must be text', 'Debe ser un texto.'),
  number: text('must be a number', 'Debe ser un número.'),
  whole: text('must be a whole number', 'Debe ser un número entero.'),
  email: text('must be an email address', 'Debe ser un correo electrónico.'),
  webAddress: text('must be a web address', 'Debe ser una dirección web.'),
  date: text('must be a date', 'Debe ser una fecha.'),
  format: text('is not in the right format', 'El formato no es correcto.'),
  choice: text('is not one of the choices', 'No es una de las opciones.'),
  tooShort: text(
    'must have at least {Least} {Count|character|characters}',
    'Al menos {Least} {Count|carácter|caracteres}.',
  ),
  tooLong: text(
    'can have at most {Most} {Count|character|characters}',
    'Como máximo {Most} {Count|carácter|caracteres}.',
  ),
  tooFew: text(
    'needs at least {Least} {Count|entry|entries}',
    '{Count|Hace falta|Hacen falta} al menos {Least} {Count|elemento|elementos}.',
  ),
  tooMany: text(
    'can have at most {Most} {Count|entry|entries}',
    'Como máximo {Most} {Count|elemento|elementos}.',
  ),
  least: text('must be at least {Least}', 'Debe ser al menos {Least}.'),
  most: text('must be at most {Most}', 'Debe ser como máximo {Most}.'),
  above: text('must be more than {Least}', 'Debe ser más de {Least}.'),
  below: text('must be less than {Most}', 'Debe ser menos de {Most}.'),
  smaller: text('must be a smaller number', 'Debe ser un número menor.'),
  characters: text('contains characters that cannot be used', 'Tiene caracteres que no se pueden usar.'),
  control: text('must not contain control characters', 'Tiene caracteres que no se pueden usar.'),
  oneLine: text('must be one line without control characters', 'Debe ser una sola línea de texto.'),
  dateForm: text('Enter a date as mm/dd/yyyy.', 'Escriba la fecha como mm/dd/aaaa.'),
  noDay: text('is not a day of the calendar', 'Esa fecha no existe.'),
  dateRange: text('must be between 01/01/1900 and 12/31/2099', 'Debe estar entre 01/01/1900 y 12/31/2099.'),
  range: text('must be between {Least} and {Most}', 'Debe estar entre {Least} y {Most}.'),
  moment: text(
    'must be a date and time such as 2026-11-19T07:00:00Z',
    'Debe ser una fecha con hora como 2026-11-19T07:00:00Z.',
  ),
  time: text('must be a time such as 07:30', 'Escriba una hora como 07:30.'),
  emailForm: text('Please enter a valid email address', 'Escriba un correo electrónico válido'),
  phone: text(
    'must be a phone number of at least 7 digits such as (508) 555-0142 or +44 20 7946 0958 ext. 12',
    'Debe ser un número de teléfono de al menos 7 dígitos, como (508) 555-0142 o +44 20 7946 0958 ext. 12.',
  ),
  postalCode: text(
    'must be a ZIP or postal code such as 02740 or K1A 0B1',
    'Debe ser un código postal como 02740 o K1A 0B1.',
  ),
  website: text(
    'must be a web address such as www.example.org',
    'Debe ser una dirección web como www.example.org.',
  ),
  name: text('must have at least one letter or digit', 'Debe tener al menos una letra o un dígito.'),
  ssn: text(
    "This looks like a social security number. Never enter a patient's name, number or date of birth.",
    'Esto parece un número de seguro social. Nunca escriba el nombre, número ni fecha de nacimiento de un paciente.',
  ),
  telephone: text(
    "This looks like a telephone number. Never enter a patient's name, number or date of birth.",
    'Esto parece un número de teléfono. Nunca escriba el nombre, número ni fecha de nacimiento de un paciente.',
  ),
  birth: text(
    "This looks like a date of birth. Never enter a patient's name, number or date of birth.",
    'Esto parece una fecha de nacimiento. Nunca escriba el nombre, número ni fecha de nacimiento de un paciente.',
  ),
  record: text(
    "This looks like a record number. Never enter a patient's name, number or date of birth.",
    'Esto parece un número de expediente. Nunca escriba el nombre, número ni fecha de nacimiento de un paciente.',
  ),
}

/** A problem as the message of a check: messages of zod are text, so it is carried as JSON. */
export const problem = <E extends string>(text: Text<E>, ...filling: Filling<E>): string =>
  JSON.stringify(sentence(text, ...filling))

/** The problem that a message carries. A message in words is one without Spanish. */
export const problemIn = (message: string): Sentence =>
  // Nothing else writes messages that begin like this.
  message.startsWith('{"text":')
    ? (JSON.parse(message) as Sentence)
    : { text: { en: '{Problem}' }, values: { Problem: message } }
