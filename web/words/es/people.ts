export const people = {
  viewAs: 'Ver como',
  reactivate: 'Reactivar',
  changeLastDay: 'Cambiar el último día',
  takeBackLeaving: 'Se queda',
  stays: '{name} se queda',
  reactivated: '{name} puede volver a iniciar sesión',
  shiftsBack_one: 'Se restauró {count} turno.',
  shiftsBack_other: 'Se restauraron {count} turnos.',
  shiftsLost: 'No se restauraron, porque el lugar está ocupado: {shifts}',
}
