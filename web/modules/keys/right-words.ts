import type { Words } from '#web/words/plain-words.ts'

/** The rights that a key may have, in the groups in which they are offered. */
const groups = {
  program: [
    'programs.list',
    'program.settings',
    'admin-shell.use',
    'menus.visibility',
    'menus.manage',
    'announcements.manage',
    'documents.read',
    'documents.manage',
    'notifications.manage',
    'blacklist.manage',
    'mail.send',
    'pictures.add',
    'payments.read',
    'audit.read',
    'deleted.read',
    'changes.read',
    'imports.run',
    'data-sync.manage',
    'data-sync.send',
  ],
  people: [
    'people.read',
    'people.write',
    'levels.manage',
    'employees.manage',
    'students.read',
    'students.files',
    'remediation.write',
    'graduates.read',
    'graduates.write',
    'effectiveness.write',
  ],
  sites: [
    'areas.read',
    'areas.write',
    'sites.read',
    'sites.write',
    'agreements.manage',
    'shared-sites.read',
    'shared-sites.manage',
  ],
  schedule: [
    'scheduling.read',
    'scheduling.plan',
    'scheduling.assign',
    'open-shifts.read',
    'open-shifts.manage',
    'shift-changes.read',
    'shift-changes.decide',
    'placement.read',
    'placement.plan',
    'placement-lists.read',
    'placement-lists.send',
    'place-requests.read',
    'place-requests.send',
    'inbox.manage',
  ],
  time: ['time.read', 'time.approve', 'time.edit'],
  evaluations: ['evaluations.read', 'evaluations.design', 'evaluations.assign', 'evaluations.results'],
  competencies: [
    'competencies.read',
    'competencies.design',
    'procedure-logs.read',
    'procedure-logs.verify',
    'procedure-logs.correct',
    'exams.read',
    'exams.grade',
    'exams.manage',
    'lab-checks.write',
    'examiners.manage',
  ],
  records: [
    'requirements.status',
    'requirements.review',
    'requirements.design',
    'packets.manage',
    'verifications.read',
    'clinical-records.read',
    'clinical-records.issue',
    'clinical-records.clear',
    'doses.read',
    'incidents.read',
    'declarations.read',
    'radiation-officers.set',
    'private.health',
    'private.conduct',
  ],
  reports: [
    'reports.read',
    'outcomes.read',
    'systematic-plans.read',
    'systematic-plans.write',
    'custom-reports.use',
  ],
  installation: [
    'colleges.manage',
    'programs.manage',
    'unused-features.manage',
    'terminology.manage',
    'settings.manage',
    'menus.set-visibility',
    'news.manage',
    'mail-templates.manage',
    'installation-pictures.add',
    'payments.manage',
    'weekly-reports.read',
    'mail.read',
  ],
} as const
type Group = keyof typeof groups
type Named = (typeof groups)[Group][number]
type WordOf<R extends string> = R extends `${infer A}.${infer B}`
  ? `${WordOf<A>}_${WordOf<B>}`
  : R extends `${infer A}-${infer B}`
    ? `${A}_${WordOf<B>}`
    : R

const groupOf = new Map<string, Group>(
  (Object.keys(groups) as Group[]).flatMap((group) => groups[group].map((right) => [right, group] as const)),
)

/** A right in words: "Read time records"; one that no words name yet as the API calls it. */
export const rightName = (words: Words, right: string): string =>
  groupOf.has(right) ? words(`keys.right.${right.replaceAll(/[.-]/g, '_') as WordOf<Named>}`) : right

/** Rights in the order of their groups, each under the name of its group. */
export const groupedRights = <R extends { Right: string }>(
  words: Words,
  rights: readonly R[],
): (R & { group: string })[] =>
  [...groupOf]
    .flatMap(([right, group]) =>
      rights
        .filter(({ Right }) => Right === right)
        .map((each) => ({ ...each, group: words(`keys.rightGroup.${group}`) })),
    )
    .concat(rights.filter(({ Right }) => !groupOf.has(Right)).map((each) => ({ ...each, group: '' })))
