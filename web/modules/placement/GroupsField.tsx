import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { Experience, Group } from '#contract/placement/plans.ts'
import type { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { Button } from '#web/ui/buttons.ts'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './placement.module.css'

/** What a wish weighs until somebody says otherwise: as much as ranks usually do. */
const usualWish = 60

const shiftTypes: readonly ShiftType[] = ['day', 'evening', 'night', 'weekend', 'other']
const dayKeys = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

export const typeOptions = (words: Words) =>
  shiftTypes.map((type) => ({ value: type, label: words(`scheduling.${type}`) }))
const dayOptions = (words: Words) =>
  dayKeys.map((key, day) => ({ value: String(day), label: words(`scheduling.${key}`) }))

export type GroupsFieldProps = {
  /** The rotations of the plan where there are several: experiences can ask for one. */
  rotations: readonly { value: string; label: string }[]
  value: Group[]
  onChange: (groups: Group[]) => void
}

/** What is asked of the students, by group of levels. */
export function GroupsField({ rotations, value, onChange }: GroupsFieldProps) {
  const words = useWords()
  const change = (index: number, group: Group) =>
    onChange(value.map((each, at) => (at === index ? group : each)))
  const add = () => {
    const [first] = value
    if (first)
      onChange([
        ...value,
        { ...first, Name: words('placement.newGroup', { number: value.length + 1 }), Experiences: [] },
      ])
  }
  return (
    <div className={classes.cards}>
      {value.map((group, index) => (
        <GroupCard
          // biome-ignore lint/suspicious/noArrayIndexKey: groups have no identity but their place
          key={index}
          at={index}
          rotations={rotations}
          group={group}
          onChange={(next) => change(index, next)}
          {...(value.length > 1 && { onRemove: () => onChange(value.filter((_, at) => at !== index)) })}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={add}
        w="fit-content"
      >
        {words('placement.addGroup')}
      </Button>
    </div>
  )
}

type GroupCardProps = {
  at: number
  rotations: GroupsFieldProps['rotations']
  group: Group
  onChange: (group: Group) => void
  onRemove?: () => void
}

function GroupCard({ at, rotations, group, onChange, onRemove }: GroupCardProps) {
  const words = useWords()
  const levels = useSchedulingOptions('level', group.StudentLevelIds)
  const set = (more: Partial<Group>) => onChange({ ...group, ...more })
  const setExperience = (index: number, more: Partial<Experience>) =>
    set({ Experiences: group.Experiences.map((each, i) => (i === index ? { ...each, ...more } : each)) })
  return (
    <fieldset className={classes.group}>
      <legend className="p-sr-only">{group.Name}</legend>
      <div className={classes.two}>
        <TextField
          name={`group-${at}-name`}
          label={words('placement.groupName')}
          maxLength={60}
          value={group.Name}
          onChange={(Name) => set({ Name })}
        />
        <MultiSelectField
          name={`group-${at}-levels`}
          label={words('placement.levels')}
          placeholder={words('placement.others')}
          {...levels}
          value={group.StudentLevelIds.map(String)}
          onChange={(ids) => set({ StudentLevelIds: ids.map(Number) })}
        />
        <NumberField
          name={`group-${at}-shifts`}
          label={words('placement.shiftsPerWeek')}
          min={1}
          value={group.ShiftsPerWeek}
          onChange={(count) => set({ ShiftsPerWeek: Math.min(7, Math.max(1, count ?? 1)) })}
        />
        <MultiSelectField
          name={`group-${at}-days`}
          label={words('placement.weekdays')}
          options={dayOptions(words)}
          value={group.Weekdays.map(String)}
          onChange={(days) => set({ Weekdays: days.map(Number).sort() })}
        />
        <MultiSelectField
          name={`group-${at}-types`}
          label={words('placement.types')}
          placeholder={words('placement.allTypes')}
          options={typeOptions(words)}
          value={group.Types}
          // The options are shift types.
          onChange={(types) => set({ Types: types as ShiftType[] })}
        />
        <NumberField
          name={`group-${at}-most`}
          label={words('placement.mostPerSite')}
          min={1}
          value={group.MostBlocksPerSite}
          onChange={(count) => set({ MostBlocksPerSite: count })}
        />
        <NumberField
          name={`group-${at}-fewest`}
          label={words('placement.fewestPerSite')}
          description={words('placement.fewestHint')}
          min={1}
          value={group.FewestBlocksPerSite}
          onChange={(count) => set({ FewestBlocksPerSite: count })}
        />
      </div>
      {group.Experiences.map((experience, index) => (
        <ExperienceRow
          // biome-ignore lint/suspicious/noArrayIndexKey: experiences have no identity but their place
          key={index}
          id={`group-${at}-experience-${index}`}
          rotations={rotations}
          experience={experience}
          onChange={(more) => setExperience(index, more)}
          onRemove={() => set({ Experiences: group.Experiences.filter((_, i) => i !== index) })}
        />
      ))}
      <div className={classes.groupFoot}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() =>
            set({
              Experiences: [
                ...group.Experiences,
                {
                  Name: words('placement.newExperience', { number: group.Experiences.length + 1 }),
                  SiteIds: [],
                  AreaIds: [],
                  Types: [],
                  Blocks: 1,
                  MostBlocks: null,
                  RotationIds: [],
                  Weight: null,
                },
              ],
            })
          }
        >
          {words('placement.addExperience')}
        </Button>
        {onRemove && (
          <Button variant="subtle" color="red" onClick={onRemove}>
            {words('placement.removeGroup', { name: group.Name })}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

type ExperienceRowProps = {
  id: string
  rotations: GroupsFieldProps['rotations']
  experience: Experience
  onChange: (more: Partial<Experience>) => void
  onRemove: () => void
}

function ExperienceRow({ id, rotations, experience, onChange, onRemove }: ExperienceRowProps) {
  const words = useWords()
  const sites = useSchedulingOptions('site', experience.SiteIds)
  const areas = useSchedulingOptions('area', experience.AreaIds)
  return (
    <div className={classes.experience}>
      <div className={classes.wide}>
        <TextField
          name={`${id}-name`}
          label={words('placement.experienceName')}
          maxLength={60}
          value={experience.Name}
          onChange={(Name) => onChange({ Name })}
        />
      </div>
      <NumberField
        name={`${id}-blocks`}
        label={words('placement.experienceBlocks')}
        min={0}
        max={60}
        value={experience.Blocks === 0 ? null : experience.Blocks}
        onChange={(count) => onChange({ Blocks: Math.min(60, Math.max(0, count ?? 0)) })}
      />
      <NumberField
        name={`${id}-most`}
        label={words('placement.experienceMost')}
        min={Math.max(1, experience.Blocks)}
        max={60}
        value={experience.MostBlocks}
        onChange={(count) => onChange({ MostBlocks: count })}
      />
      <MultiSelectField
        name={`${id}-sites`}
        label={words('placement.experienceSites')}
        placeholder={words('placement.anySite')}
        {...sites}
        value={experience.SiteIds.map(String)}
        onChange={(ids) => onChange({ SiteIds: ids.map(Number) })}
      />
      <MultiSelectField
        name={`${id}-areas`}
        label={words('placement.experienceAreas')}
        placeholder={words('placement.anyArea')}
        {...areas}
        value={experience.AreaIds.map(String)}
        onChange={(ids) => onChange({ AreaIds: ids.map(Number) })}
      />
      {rotations.length > 0 && (
        <MultiSelectField
          name={`${id}-rotations`}
          label={words('placement.rotation')}
          placeholder={words('placement.anyRotation')}
          options={[...rotations]}
          value={experience.RotationIds.map(String).filter((id) =>
            rotations.some(({ value }) => value === id),
          )}
          onChange={(ids) => onChange({ RotationIds: ids.map(Number) })}
        />
      )}
      <MultiSelectField
        name={`${id}-types`}
        label={words('placement.types')}
        placeholder={words('placement.allTypes')}
        options={typeOptions(words)}
        value={experience.Types}
        // The options are shift types.
        onChange={(types) => onChange({ Types: types as ShiftType[] })}
      />
      <SelectField
        name={`${id}-kind`}
        label={words('placement.experienceKind')}
        required
        options={[
          { value: 'rule', label: words('placement.isRule') },
          { value: 'wish', label: words('placement.isWish') },
        ]}
        value={experience.Weight === null ? 'rule' : 'wish'}
        onChange={(kind) => onChange({ Weight: kind === 'wish' ? (experience.Weight ?? usualWish) : null })}
      />
      {experience.Weight !== null && (
        <NumberField
          name={`${id}-weight`}
          label={words('placement.wishWeight')}
          description={words('placement.wishWeightHint')}
          min={1}
          max={100}
          value={experience.Weight}
          onChange={(weight) => onChange({ Weight: Math.min(100, Math.max(1, weight ?? 1)) })}
        />
      )}
      <Button
        variant="subtle"
        color="gray"
        px={0}
        w={44}
        h={44}
        className={classes.remove}
        aria-label={words('placement.removeExperience', { name: experience.Name })}
        onClick={onRemove}
      >
        <IconTrash size={17} stroke={1.75} aria-hidden />
      </Button>
    </div>
  )
}
