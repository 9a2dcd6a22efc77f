import { failure, failures, missing } from '#contract/core/failure.ts'

export const pushFailures = failures({
  push_sealed: failure(422, {
    en: 'SECRET_KEY has changed, so the keys of push notifications cannot be opened. Make new keys; nothing was changed.',
  }),
  push_never_on: failure(422, {
    en: 'Push notifications were never switched on, so there are no keys yet.',
    code: 'push_off',
  }),
  push_off: failure(422, {
    en: 'Push notifications are switched off for this installation. Nothing was changed.',
    es: 'Las notificaciones están desactivadas en esta instalación. No se cambió nada.',
  }),
  push_keys: failure(409, {
    en: 'The keys of this installation have changed. Load the page again and turn notifications on once more.',
    es: 'Cambiaron las claves de esta instalación. Vuelva a cargar la página y active de nuevo las notificaciones.',
  }),
  push_address: failure(422, {
    en: 'This browser’s push service cannot be used. Nothing was changed.',
    es: 'No se puede usar el servicio de notificaciones de este navegador. No se cambió nada.',
  }),
  push_kind: failure(422, {
    en: 'Your role gets no notifications of this kind. Nothing was saved.',
    es: 'Su función no recibe notificaciones de este tipo. No se guardó nada.',
  }),
  quiet_hours: failure(422, {
    en: 'Quiet hours end at another time than they begin. Nothing was saved.',
    es: 'Las horas de silencio terminan a otra hora de la que empiezan. No se guardó nada.',
  }),
  shared: failure(422, {
    en: 'This is a shared computer. Turn notifications on with your own device; nothing was changed.',
    es: 'Esta es una computadora compartida. Active las notificaciones en su propio dispositivo; no se cambió nada.',
  }),
  push_removed: failure(409, {
    en: 'Notifications were turned off for this device. It stays that way.',
    es: 'Se desactivaron las notificaciones de este dispositivo. Así se queda.',
  }),
  too_many: failure(422, {
    en: 'Notifications go to {Most} devices at most. Remove one that you no longer use; nothing was changed.',
    es: 'Las notificaciones llegan a {Most} dispositivos como máximo. Quite uno que ya no use; no se cambió nada.',
  }),
  push_of_other_account: failure(409, {
    en: 'This device belongs to another account. Turn notifications on once more.',
    es: 'Este dispositivo pertenece a otra cuenta. Active de nuevo las notificaciones.',
    code: 'push_removed',
  }),
  no_device: missing('This device'),
})
