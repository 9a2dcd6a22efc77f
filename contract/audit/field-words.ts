/** Fields that are names of things by their number, which readers of a history do not know. */
const isNumbered = /(?:^|[a-z])Ids?$/

/** 'LastRenewalDate' is 'Last renewal date', 'StudentLevelId' is 'Student level'. */
export const fieldWords = (name: string): string => {
  const text = name
    .replace(isNumbered, (end) => end.replace(/Ids?$/, ''))
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase())
    .trim()
  const shown = text || name
  return shown.charAt(0).toUpperCase() + shown.slice(1)
}

/** Whether a field says which thing it is by its number alone. */
export const isNumberOf = (name: string): boolean => isNumbered.test(name) || name === 'id' || name === 'ids'

/** Things of a program that a history names by their numbers. */
export type Thing =
  | 'person'
  | 'site'
  | 'rotation'
  | 'shift'
  | 'area'
  | 'level'
  | 'requirement'
  | 'document'
  | 'template'
  | 'evaluation'
  | 'assignment'

const things: readonly (readonly [RegExp, Thing])[] = [
  [
    /(?:student|person|user|account|supervisor|evaluator|examiner|subject|taker|from|handTo|kept|merged)Ids?$/i,
    'person',
  ],
  [/siteShiftIds?$/i, 'shift'],
  [/siteIds?$/i, 'site'],
  [/rotationIds?$/i, 'rotation'],
  [/areaIds?$/i, 'area'],
  [/studentLevelIds?$/i, 'level'],
  [/requirementIds?$/i, 'requirement'],
  [/documentIds?$/i, 'document'],
  [/templateIds?$/i, 'template'],
  [/evaluationIds?$/i, 'evaluation'],
  [/assignmentIds?$/i, 'assignment'],
]

/** What the number in a field is of; undefined where a history does not name it. */
export const thingOf = (field: string): Thing | undefined => things.find(([form]) => form.test(field))?.[1]
