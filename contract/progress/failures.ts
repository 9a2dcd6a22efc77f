import { failure, failures, missing } from '#contract/core/failure.ts'

export const progressFailures = failures({
  no_remediation_plan: missing('This remediation plan'),
  plan_closed: failure(409, { en: 'The plan “{Title}” is closed. Nothing was changed.', code: 'closed' }),
  plan_changed: failure(409, {
    en: 'Someone changed the plan “{Title}” after you opened it. Nothing was saved; look at it again.',
    es: 'Someone cambió the plan “{Title}” después de que usted lo abrió. No se guardó nada; revíselo de nuevo.',
    code: 'stale',
  }),
  no_task: missing('This task'),
})
