import type { TermForms, TermKey } from './terminology.ts'

/** The words that a program may replace, in Spanish: as `termDefaults`, for the pages and emails in that language. */
export const spanishTerms: Readonly<Record<TermKey, TermForms>> = {
  site: { value: 'sitio', singular: '', plural: 's' },
  program: { value: 'programa', singular: '', plural: 's' },
  college: { value: 'universidad', singular: '', plural: 'es' },
  evaluation: { value: 'evaluaci', singular: 'ón', plural: 'ones' },
  area: { value: 'área', singular: '', plural: 's' },
  student: { value: 'estudiante', singular: '', plural: 's' },
  studentLevel: { value: 'nivel', singular: ' de estudiante', plural: 'es de estudiante' },
  supervisingEmployee: { value: 'empleado', singular: ' supervisor', plural: 's supervisores' },
  alumnus: { value: 'egresado', singular: '', plural: 's' },
  faculty: { value: 'docente', singular: '', plural: 's' },
  time: { value: 'horas', singular: '', plural: '' },
  programDirector: { value: 'director', singular: ' del programa', plural: 'es del programa' },
  clinicalCoordinator: { value: 'coordinador', singular: ' clínico', plural: 'es clínicos' },
  supervisor: { value: 'supervisor', singular: '', plural: 'es' },
  siteEmployee: { value: 'empleado', singular: ' del sitio', plural: 's del sitio' },
  genericEmployee: { value: 'acceso', singular: ' compartido', plural: 's compartidos' },
}
