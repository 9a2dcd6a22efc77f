import { failure, failures, missing } from '#contract/core/failure.ts'

export const taskFailures = failures({
  expired: failure(404, {
    en: '{Name} was kept for {Hours} hours and is deleted. Start it again.',
    es: '{Name} se conservó {Hours} horas y se eliminó. Empiece de nuevo.',
  }),
  no_file: missing('This file'),
  viewing: failure(403, {
    en: 'This file is for {Name} alone. Stop viewing first.',
    es: 'Este archivo es solo para {Name}. Primero deje de ver como otra persona.',
  }),
  not_allowed: failure(403, {
    en: 'Your role no longer allows this file.',
    es: 'Su función ya no permite este archivo.',
  }),
  not_done: failure(409, {
    en: '{Name} is not ready. Its progress is under Notifications.',
    es: '{Name} no está listo. Su avance está en Notificaciones.',
  }),
  finished: failure(409, {
    en: '{Name} is finished already. Nothing was canceled.',
    es: '{Name} ya terminó. No se canceló nada.',
  }),
  failed: failure(409, '{Reason}'),
})
