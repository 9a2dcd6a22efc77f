export const push = {
  section: 'Notificaciones en sus dispositivos',
  purpose:
    'Mensajes cortos en su teléfono o computadora, también con Practicum cerrado. Se guarda al elegir.',
  loadFailed: 'No se pudieron cargar sus notificaciones: {reason}',
  offHere: 'Desactivadas en este dispositivo',
  ask: 'El navegador pedirá permiso. Los mensajes muestran fechas, horas y números, sin nombres.',
  full: 'Las notificaciones llegan a {count} dispositivos como máximo. Quite uno abajo para usar este.',
  turnOn: 'Activar en este dispositivo',
  turnOnFailed: 'No se activaron las notificaciones',
  turnedOn: 'Notificaciones activadas en este dispositivo',
  onHere: 'Activadas en este dispositivo',
  chooseKinds: 'Elija abajo de qué desea recibir aviso.',
  paused: 'En pausa',
  pausedNote:
    'Las notificaciones están desactivadas por ahora en esta instalación. Sus opciones se conservan y no se envía nada.',
  test: 'Enviar una prueba',
  tested: 'Prueba enviada. Debe aparecer en menos de un minuto.',
  turnOff: 'Desactivar en este dispositivo',
  turnedOff: 'Notificaciones desactivadas en este dispositivo',
  hindrance: {
    shared: {
      title: 'No en una computadora compartida',
      next: 'Entre desde su propio teléfono o computadora para activar allí las notificaciones.',
    },
    off: {
      title: 'Desactivadas por ahora',
      next: 'Las notificaciones están desactivadas en esta instalación. Sus opciones se conservan y no se envía nada.',
    },
    insecure: {
      title: 'No disponibles en esta dirección',
      next: 'Los navegadores solo muestran notificaciones de direcciones que empiezan con https://. Pida una a quien administra Practicum.',
    },
    ios: {
      title: 'Primero agregue Practicum a la pantalla de inicio',
      next: 'En Safari toque Compartir y luego Agregar a inicio. Abra Practicum desde allí y vuelva a esta página.',
    },
    unsupported: {
      title: 'Este navegador no puede mostrar notificaciones',
      next: 'Use Chrome, Edge, Firefox o Safari actual, no en una ventana privada.',
    },
    denied: {
      title: 'El navegador bloquea las notificaciones de Practicum',
      next: 'Toque el icono a la izquierda de la dirección, abra los permisos del sitio, permita las notificaciones y vuelva a cargar esta página. Si la aplicación está instalada, permítalas en los ajustes del teléfono.',
    },
  },
  kinds: 'De qué desea recibir aviso',
  kind: {
    shift: 'Turno de mañana',
    clockOut: 'Salida sin marcar',
    evaluation: '{Evaluations} por completar',
    answer: 'Respuestas a sus solicitudes',
  },
  kindNote: {
    shift: 'A las 18:00 del día anterior.',
    clockOut: 'Media hora después del final de un turno si la entrada sigue abierta.',
    evaluation: 'Cuando hay nuevas, antes del vencimiento y cuando hay retraso.',
    answer:
      'Intercambios, coberturas, bajas, turnos abiertos en espera, cambios de hora, registros rechazados y exenciones.',
  },
  quiet: 'Horas de silencio',
  quietNote: 'No se muestra nada entre estas horas. Lo que siga vigente se muestra después.',
  quietSame: 'Las horas de silencio necesitan dos horas distintas.',
  from: 'Desde',
  until: 'Hasta',
  devices: 'Sus otros dispositivos',
  seen: 'Último uso {date}',
  lastSent: 'último mensaje {date}',
  neverSent: 'sin mensajes todavía',
  remove: 'Quitar',
  removeQuestion: '¿Detener las notificaciones en {name}? Puede activarlas de nuevo en ese dispositivo.',
  removeNamed: 'Quitar {name}',
  removed: '{name} ya no recibe notificaciones',
}
