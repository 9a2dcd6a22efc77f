import { IconCircleCheckFilled } from '@tabler/icons-react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import {
  type Preset,
  presetSettings,
  presets,
  type suggestPlanPreset,
} from '#contract/placement/plan-presets.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './presets.module.css'

export type PresetCardsProps = {
  value: Preset
  suggested: AnswerOf<typeof suggestPlanPreset>
  onChange: (preset: Preset) => void
}

/** What a preset sets, in words: 'Blocks of 2 weeks', 'At most 25 % evenings and weekends'. */
const settingsOf = (words: Words, preset: Preset): string[] => {
  const set = presetSettings[preset]
  return [
    words('placement.presetWeeks', { count: set.WeeksPerBlock }),
    words('placement.presetShifts', { count: set.ShiftsPerWeek }),
    set.MostBlocksPerSite === null
      ? words('placement.presetAnySite')
      : words('placement.presetMostPerSite', { count: set.MostBlocksPerSite }),
    set.MostEveningPercent === null
      ? words('placement.presetAnyTime')
      : words('placement.presetEvenings', { percent: set.MostEveningPercent }),
    set.Template === 'wheel'
      ? words('placement.presetNoRanks')
      : words(set.RanksPer === 'block' ? 'placement.presetRanksBlock' : 'placement.presetRanksOnce', {
          count: set.MostRanks,
        }),
  ]
}

/** The kinds of plans to begin with: each says what it is for and what it sets; the one of the discipline is marked. */
export function PresetCards({ value, suggested, onChange }: PresetCardsProps) {
  const words = useWords()
  return (
    <div className={classes.presets} role="radiogroup" aria-label={words('placement.presetPart')}>
      {presets.map((preset) => (
        <label key={preset} className={classes.preset} data-on={preset === value || undefined}>
          <input
            type="radio"
            className="p-sr-only"
            name="preset"
            checked={preset === value}
            onChange={() => onChange(preset)}
          />
          <b>
            {words(`placement.preset_${preset}`)}
            {preset === value && <IconCircleCheckFilled size={18} aria-hidden />}
          </b>
          {suggested.Preset === preset && suggested.Discipline !== null && (
            <em>{words('placement.presetFor', { discipline: suggested.Discipline })}</em>
          )}
          <span>{words(`placement.presetAbout_${preset}`)}</span>
          <ul>
            {settingsOf(words, preset).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <small>{words(`placement.presetWeights_${preset}`)}</small>
        </label>
      ))}
    </div>
  )
}
