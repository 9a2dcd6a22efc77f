import type { Place } from '#contract/sites/sites.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'
import { usePlaces } from './use-places.ts'

/** Finds a town or ZIP code and gives it away; the field itself keeps nothing. */
export function PlaceField({ onPick }: { onPick: (place: Place) => void }) {
  const words = useWords()
  const { search, placeOf } = usePlaces()
  return (
    <SelectField
      name="Place"
      label={words('sites.lookUp')}
      description={words('sites.lookUpHint')}
      placeholder={words('sites.lookUpExample')}
      search={search}
      minLetters={2}
      value={null}
      onChange={(value) => {
        const place = value === null ? undefined : placeOf(value)
        if (place) onPick(place)
      }}
    />
  )
}
