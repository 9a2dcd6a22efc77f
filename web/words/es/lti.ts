export const lti = {
  linksTitle: 'Agregar enlaces a su curso',
  linksIntro:
    'Elija para qué recibe un enlace {platform}. Los estudiantes y el personal que lo abren llegan directamente a esa página.',
  linksOne: 'Elija la página que abre el enlace en {platform}.',
  links: 'Enlaces',
  page: {
    schedule: 'Horario',
    clock: 'Marcar',
    evaluations: 'Evaluaciones',
  },
  pageHint: {
    schedule: 'Los estudiantes ven sus turnos; el personal, las asignaciones de {program}.',
    clock: 'Los estudiantes registran entrada y salida; el personal aprueba las horas.',
    evaluations: 'Evaluaciones por completar y, para el personal, su estado.',
  },
  send_one: 'Agregar {count} enlace',
  send_other: 'Agregar {count} enlaces',
  chooseFirst: 'Primero elija al menos un enlace.',
  linksSent: 'Listo',
  linksSentText: 'Vuelva a su curso en la otra ventana. Allí continúa por sí solo y puede cerrar esta.',
  linksGone: 'Esta solicitud de enlaces caducó o es de otra cuenta. Vuelva a abrir Practicum desde su curso.',
}
