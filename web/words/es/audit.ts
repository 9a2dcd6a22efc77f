export const audit = {
  more: 'Entradas anteriores',
  viewsTitle: 'Quién vio mis datos',
  viewsLead: 'Personas de su {program} y sistemas que abrieron o cambiaron sus datos.',
  reason: 'Motivo: {reason}',
  viewsEmpty: 'Hasta ahora, solo usted ha abierto sus datos.',
  viewsFailed: 'No se pudo cargar la lista: {reason} Intente de nuevo.',
  changed: 'Cambió',
  seen: 'Vio',
}
