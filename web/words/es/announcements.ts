export const announcements = {
  one: 'Anuncio',
  acknowledge: 'Confirmar lectura',
  acknowledgedOn: 'Leído el {date}',
  acknowledged: 'Leído',
}
