import {
  getEvaluationTemplate,
  listEvaluationTemplates,
  searchEvaluationTemplates,
  type TemplateDetail,
} from '#contract/evaluations/evaluations.ts'
import { listScoreTypes } from '#contract/evaluations/score-types.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'

/** What a change of a template makes old. */
export const designed = {
  refresh: [getEvaluationTemplate, searchEvaluationTemplates, listEvaluationTemplates, listScoreTypes],
}

/** In the address: every category at once. */
export const everyCategory = 0

/** The template that the screens of its parts work on: named in the address, otherwise the first one. */
export const useDesign = (kind?: TemplateDetail['Items'][number]['Kind']) => {
  const programId = useProgramId()
  const [at, setAddress] = useAddress({
    template: null as number | null,
    category: null as number | null,
  })
  const templates = useRead(searchEvaluationTemplates, { params: { programId } })
  const templateId = at.template ?? templates.data?.[0]?.Id ?? 0
  const params = { programId, templateId }
  const template = useRead(getEvaluationTemplate, { params }, { isEnabled: templateId > 0, keepsLast: false })
  const categories = template.data?.Categories ?? []
  const hasItems = (id: number) =>
    template.data?.Items.some(({ CategoryId, Kind }) => CategoryId === id && Kind === kind) ?? false
  const first = categories.find(({ Id }) => hasItems(Id)) ?? categories[0]
  const isThere = at.category === everyCategory || categories.some(({ Id }) => Id === at.category)
  return {
    params,
    /** For `TemplateNav`: undefined until it is known, 0 where the program has no template. */
    ofNav: templateId || (templates.data && 0),
    templates,
    template,
    /** The category whose items are shown; `everyCategory` for all of them. */
    categoryId: isThere ? (at.category ?? everyCategory) : (first?.Id ?? everyCategory),
    firstCategoryId: first?.Id ?? everyCategory,
    choose: (templateId: number | null) => setAddress({ template: templateId, category: null }),
    showCategory: (categoryId: number) => setAddress({ template: params.templateId, category: categoryId }),
  }
}

export type Design = ReturnType<typeof useDesign>
