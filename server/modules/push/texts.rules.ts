import { formatDate } from '#contract/core/calendar.ts'
import type { Language } from '#contract/language/language.ts'

/**
 * What a message tells, as it is at the moment of sending. Anybody may read it on a locked screen: days, times and numbers, no names of
 * people, sites or patients, and nothing about health or results.
 */
export type Fact =
  | { kind: 'shift'; date: string; start: string; end: string; count: number }
  | { kind: 'clock-out'; date: string; time: string }
  | { kind: 'evaluation'; count: number }
  | { kind: 'answer'; about: 'shift' | 'open-shift' | 'hours' | 'requirement' }
  | { kind: 'test' }

interface PushText {
  title: string
  body: string
}

const dayOf = (date: string, language: Language): string => {
  const weekday = new Intl.DateTimeFormat(language === 'es' ? 'es-US' : 'en-US', {
    weekday: 'short',
    timeZone: 'UTC',
  }).format(Date.parse(`${date}T00:00:00Z`))
  return `${weekday} ${formatDate(date)}`
}

const english = (fact: Fact): PushText => {
  switch (fact.kind) {
    case 'shift': {
      const more = fact.count > 1 ? `, and ${fact.count - 1} more that day` : ''
      return { title: 'Next shift', body: `${dayOf(fact.date, 'en')}, ${fact.start}–${fact.end}${more}` }
    }
    case 'clock-out':
      return {
        title: 'You are still clocked in',
        body: `Since ${formatDate(fact.date)} ${fact.time}. Clock out, or report when you left.`,
      }
    case 'evaluation':
      return {
        title: 'Evaluations',
        body: fact.count === 1 ? '1 evaluation to complete.' : `${fact.count} evaluations to complete.`,
      }
    case 'answer':
      return {
        title: {
          shift: 'Shift request',
          'open-shift': 'Open shift',
          hours: 'Hours',
          requirement: 'Requirement',
        }[fact.about],
        body: {
          shift: 'There is news about a shift request.',
          'open-shift': 'There is news about an open shift you asked for.',
          hours: 'Your program reviewed a time record.',
          requirement: 'Your program reviewed your exemption request.',
        }[fact.about],
      }
    case 'test':
      return { title: 'Practicum', body: 'Notifications work on this device.' }
  }
}

const spanish = (fact: Fact): PushText => {
  switch (fact.kind) {
    case 'shift': {
      const more = fact.count > 1 ? `, y ${fact.count - 1} más ese día` : ''
      return { title: 'Próximo turno', body: `${dayOf(fact.date, 'es')}, ${fact.start}–${fact.end}${more}` }
    }
    case 'clock-out':
      return {
        title: 'La entrada sigue abierta',
        body: `Desde ${formatDate(fact.date)} ${fact.time}. Hay que marcar la salida o informar la hora.`,
      }
    case 'evaluation':
      return {
        title: 'Evaluaciones',
        body: fact.count === 1 ? '1 evaluación por completar.' : `${fact.count} evaluaciones por completar.`,
      }
    case 'answer':
      return {
        title: {
          shift: 'Solicitud de turno',
          'open-shift': 'Turno abierto',
          hours: 'Horas',
          requirement: 'Requisito',
        }[fact.about],
        body: {
          shift: 'Hay novedades de una solicitud de turno.',
          'open-shift': 'Hay novedades de un turno abierto solicitado.',
          hours: 'El programa decidió sobre un registro de horas.',
          requirement: 'El programa decidió sobre una exención solicitada.',
        }[fact.about],
      }
    case 'test':
      return { title: 'Practicum', body: 'Las notificaciones funcionan en este dispositivo.' }
  }
}

/** What a device shows, in the language of its person. */
export const pushText = (fact: Fact, language: Language): PushText =>
  language === 'es' ? spanish(fact) : english(fact)

/** What a decision is about, by the page that shows it. */
export const aboutOf = (link: string): Extract<Fact, { kind: 'answer' }>['about'] => {
  if (link.startsWith('/new/open-shifts')) return 'open-shift'
  if (link.startsWith('/new/hours')) return 'hours'
  return link.startsWith('/new/requirements') ? 'requirement' : 'shift'
}
