export const communication = {
  inbox: 'Notificaciones',
  unread_one: '1 sin leer',
  unread_other: '{count} sin leer',
  nothing: 'No hay novedades para usted.',
  readAll: 'Marcar todo como leído',
  unreadMark: 'Sin leer',
  filesOpen: 'Archivos en preparación',
  files: 'Archivos listos',
  fileUntil: 'Disponible hasta el {when} · {size}',
  undoDone: 'Importación deshecha: {count} filas',
  importDone: 'Listo: {count} filas',
  downloadFile: 'Descargar',
  downloadNamed: 'Descargar {name}',
  openImports: 'Abrir importaciones',
  more: 'Más',
  guide: 'Guía del usuario',
  guideIntro: 'Lo que puede hacer aquí, en el orden de un día.',
  students: '{Students}',
  studentsEmpty: 'No hay {students} con turno en sus {sites}.',
  approve: 'Aprobar horas',
  approveDetail_one: '{count} turno por aprobar',
  approveDetail_other: '{count} turnos por aprobar',
  evaluate: '{Evaluations}',
  evaluateDetail: '{count} por completar',
  staff1Title: 'Por la mañana',
  staff1:
    'La página de inicio muestra lo que pide atención: registros que conviene revisar con cuidado, marcaciones incompletas, {evaluations} con plazo vencido. Cada fila abre su página.',
  staff2Title: 'Aprobar {time}',
  staff2:
    'Los registros sin observaciones se pueden aprobar juntos. Cada uno de los demás dice por qué conviene revisarlo. Puede deshacer una aprobación desde el mensaje de arriba a la derecha.',
  staff3Title: 'Planear',
  staff3:
    'Cree una rotación y luego sus turnos con plazas ({sites}). Agregar/quitar asignaciones coloca {students} en fechas; el pie dice de antemano qué se rechazará y por qué.',
  staff4Title: '{Sites} y personas',
  staff4:
    'Ambos se pueden importar de archivos CSV o Excel: la vista previa nombra cada error por fila y columna, y una importación se puede deshacer.',
  reader2Title: 'Ver las {time}',
  reader2:
    'En los registros de {time} pendientes se ve qué espera aprobación y por qué conviene revisarlo; los coordinadores lo aprueban. Todos los registros muestra lo que se decidió, y el historial de cada uno, lo que cambió.',
  reader3Title: 'Ver el plan',
  reader3:
    'Asignaciones y Visualización muestran quién está dónde y cuándo. Donde su {program} deja asignar al profesorado, el diálogo dice antes qué se rechazará y por qué.',
  reader4: 'La página de {student} tiene todo lo que usted puede ver; {Sites} tiene direcciones y contactos.',
  student1Title: 'Al llegar',
  student1:
    'Abra Marcar y pulse el único botón. Solo entonces se pide su ubicación. Sin conexión, la marcación se guarda en el teléfono y se envía cuando vuelva.',
  student2Title: 'Si algo no está bien',
  student2:
    'En Horas puede pedir otra hora para una marcación pendiente. Informar ausencia y Excepción de {time} están debajo del reloj.',
  student3Title: 'Siempre al tanto',
  student3:
    'El anillo muestra las horas aprobadas, pendientes y por cumplir, y el día en que termina a este ritmo.',
  supervisor1Title: 'Dos minutos',
  supervisor1:
    'Aprobar muestra los registros de sus {sites} y dice por qué conviene revisar alguno. Evaluar muestra los formularios por completar; se guardan mientras responde.',
}
