import { z } from 'zod'
import { DateOnly, Id, Line, RequiredLine } from './fields.ts'

/**
 * A filter of a list. By the name that it is declared under it stands in the address; days are there as `from` and `through`.
 * Labels are in the words of the program: '{Site}'.
 */
interface Filter {
  /** How it is chosen. */
  chip: keyof Schemas<string>
  label: string
  /** What of the query it fills. */
  names: readonly string[]
  /** What stands for nothing chosen. */
  initial: string | false | null | readonly []
  options?: Readonly<Record<string, string>>
}
export type Filters = Readonly<Record<string, Filter>>

/** By one of these values; `none` is what the chip says while none is chosen. */
export const byValue = <const Name extends string, const Options extends Readonly<Record<string, string>>>(
  name: Name,
  label: string,
  options: Options,
  none?: string,
) => ({ chip: 'value' as const, label, names: [name] as const, initial: '' as string, options, none })

/** By one of these values, of which one always counts: the first unless another is chosen. */
export const byView = <const Name extends string, const Options extends Readonly<Record<string, string>>>(
  name: Name,
  label: string,
  options: Options,
) => ({
  chip: 'view' as const,
  label,
  names: [name] as const,
  initial: Object.keys(options)[0] as keyof Options & string,
  options,
})

/** By what is chosen of the program: a student, a site. */
export const byChoice = <const Name extends string, const Kind extends string>(
  name: Name,
  kind: Kind,
  label: string,
) => ({ chip: 'choice' as const, label, names: [name] as const, initial: null, kind })

/** By several student levels. */
export const byLevels = <const Name extends string>(name: Name) => ({
  chip: 'levels' as const,
  label: 'Level',
  names: [name] as const,
  initial: [] as const,
})

/** By one of the options that the page has. */
export const byOption = <const Name extends string>(name: Name, label: string) => ({
  chip: 'option' as const,
  label,
  names: [name] as const,
  initial: null,
})

/** By a thing that links from elsewhere name; it has no chip, and Reset takes it away with the others. */
export const byLink = <const Name extends string>(name: Name) => ({
  chip: 'link' as const,
  label: '',
  names: [name] as const,
  initial: null,
})

/** Only what is so. */
export const onlyThose = <const Name extends string>(name: Name, label: string, option: string) => ({
  chip: 'only' as const,
  label,
  names: [name] as const,
  initial: false as const,
  option,
})

/** By a cohort of the program. */
export const byCohort = () => ({
  chip: 'cohort' as const,
  label: 'Cohort',
  names: ['Cohort'] as const,
  initial: '',
})

/** By text; the label says what is searched. */
export const bySearch = (label: string, max = 100) => ({
  chip: 'search' as const,
  label,
  names: ['search'] as const,
  initial: '',
  max,
})

/** From a day, through a day, or both. */
export const byDays = (label: string) => ({
  chip: 'days' as const,
  label,
  names: ['FromDate', 'ThroughDate'] as const,
  initial: '',
})

/** How each is chosen, as part of a query. */
interface Schemas<Values extends string> {
  value: z.ZodOptional<z.ZodEnum<{ [V in Values]: V }>>
  view: z.ZodDefault<z.ZodEnum<{ [V in Values]: V }>>
  choice: z.ZodOptional<typeof Id>
  levels: z.ZodOptional<z.ZodArray<z.ZodNumber>>
  option: z.ZodOptional<typeof Id>
  link: z.ZodOptional<typeof Id>
  only: z.ZodOptional<z.ZodBoolean>
  cohort: z.ZodOptional<ReturnType<typeof RequiredLine>>
  search: z.ZodDefault<ReturnType<typeof Line>>
  days: z.ZodOptional<typeof DateOnly>
}
type SchemaOf<F> = F extends { chip: keyof Schemas<string> }
  ? Schemas<F extends { options: infer O } ? keyof O & string : string>[F['chip']]
  : never
type FilterWith<F extends Filters, Name> = F[keyof F] extends infer Each
  ? Each extends { names: readonly (infer N)[] }
    ? Name extends N
      ? Each
      : never
    : never
  : never
type Shape<F extends Filters> = {
  [Name in F[keyof F]['names'][number]]: SchemaOf<FilterWith<F, Name>>
}
/** What filters are as part of a query. */
export type FilterQuery<F extends Filters> = z.input<z.ZodObject<Shape<F>>>

const schemaOf = ({ chip, options = {}, initial, max = 100 }: Filter & { max?: number }): z.ZodType => {
  const one = z.enum(Object.keys(options))
  return {
    value: one.optional(),
    view: one.default(String(initial)),
    choice: Id.optional(),
    levels: z.array(z.number().int().min(1).max(20)).max(20).optional(),
    option: Id.optional(),
    link: Id.optional(),
    only: z.boolean().optional(),
    cohort: RequiredLine(100).optional(),
    search: Line(max).default(''),
    days: DateOnly.optional(),
  }[chip]
}

/** The filters as part of the query of an endpoint. */
export const queryOf = <F extends Filters>(filters: F): Shape<F> =>
  Object.fromEntries(
    Object.values(filters).flatMap((filter) => filter.names.map((name) => [name, schemaOf(filter)])),
    // Each name with the schema of how its filter is chosen.
  ) as Shape<F>

interface Chosen {
  value: string
  view: string
  choice: number | null
  levels: number[]
  option: number | null
  link: number | null
  only: boolean
  cohort: string
  search: string
  days: string
}
/** Names and values of filters in an address. */
export type FilterAddress<F extends Filters> = {
  [Name in keyof F as F[Name]['chip'] extends 'days'
    ? 'from' | 'through'
    : Name & string]: Chosen[F[Name]['chip']]
}

const namesInAddress = ([name, { chip }]: [string, Filter]): string[] =>
  chip === 'days' ? ['from', 'through'] : [name]

/** The address of the list while nothing is chosen. */
export const addressOf = <F extends Filters>(filters: F): FilterAddress<F> =>
  Object.fromEntries(
    Object.entries(filters).flatMap((each) => namesInAddress(each).map((name) => [name, each[1].initial])),
    // The names are those of the type, with what stands for nothing chosen.
  ) as FilterAddress<F>

/** What an address asks of the list. A value that is none of the options counts as nothing chosen. */
export const askedOf = <F extends Filters>(
  filters: F,
  at: Readonly<Record<string, unknown>>,
): FilterQuery<F> =>
  Object.fromEntries(
    Object.entries(filters).flatMap((each) => {
      const [, { initial, options, names }] = each
      return namesInAddress(each).flatMap((name, index) => {
        const value = at[name]
        const isAsked =
          String(value ?? '') !== String(initial ?? '') && (!options || Object.hasOwn(options, String(value)))
        return isAsked ? [[names[index], value]] : []
      })
    }),
    // The address has each as its filter is chosen; what else it has is refused by the server with its reason.
  ) as FilterQuery<F>
