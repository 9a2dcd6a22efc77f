export const documents = {
  count_one: '{count} documento',
  count_other: '{count} documentos',
  category: 'Categoría',
  noName: '(sin nombre)',
  library: 'Documentos',
  librarySearch: 'Buscar documentos',
  libraryEmpty: 'Aún no hay documentos para usted.',
  manage: 'Administrar',
  addedOn: 'agregado el {date}',
}
