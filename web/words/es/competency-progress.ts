export const competencyProgress = {
  toLists: 'Listas de competencias',
  record: 'Constancia de competencias',
}
