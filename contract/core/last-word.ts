/**
 * How something outside, or a part of the installation, is by its last word: an error counts until a success follows it, and without
 * either nothing is known.
 */
export const lastWordOf = ({
  LastErrorDate,
  LastSuccessDate,
}: {
  LastErrorDate: string | null
  LastSuccessDate: string | null
}): 'failing' | 'unused' | 'working' => {
  if (LastErrorDate !== null && (LastSuccessDate === null || LastErrorDate > LastSuccessDate))
    return 'failing'
  return LastSuccessDate === null ? 'unused' : 'working'
}
