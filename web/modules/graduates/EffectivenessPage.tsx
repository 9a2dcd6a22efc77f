import { useState } from 'react'
import {
  type Effectiveness,
  exportEffectiveness,
  getEffectiveness,
  listMeasurePeople,
  type MeasureWithResult,
  startFromProfile,
} from '#contract/graduates/effectiveness.ts'
import { type ProfileKey, profileKeys, profiles } from '#contract/graduates/measure-profiles.ts'
import { unmetOf } from '#contract/graduates/measures-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { aboutMeasure } from '#web/shared/measure-text.ts'
import { RatePeople } from '#web/shared/RatePeople.tsx'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './graduates.module.css'
import { MeasureCard } from './MeasureCard.tsx'
import { measured } from './measured.ts'

/** Pass, placement and completion rates as the accreditor asks, with the numbers behind them. */
export function EffectivenessPage() {
  const words = useWords()
  const programId = useProgramId()
  const navigate = usePageNavigate()
  const mayWrite = useMay()('effectiveness.write')
  const read = useRead(getEffectiveness, { params: { programId } })
  const { data } = read
  if (read.error) return <ReadProblem read={read} />
  const hasMeasures = data !== undefined && data.Measures.length > 0
  return (
    <Page
      title={words('effectiveness.title')}
      actions={
        <>
          {hasMeasures && (
            <ExportMenu
              address={(Format) =>
                callAddress(exportEffectiveness, { params: { programId }, query: { Format } })
              }
              pdf={callAddress(exportEffectiveness, { params: { programId }, query: { Format: 'pdf' } })}
            />
          )}
          {hasMeasures && mayWrite && (
            <Button variant="default" onClick={() => navigate('/admin/effectiveness/measures')}>
              {words('effectiveness.edit')}
            </Button>
          )}
        </>
      }
      inset
    >
      {data && <Missing data={data} programId={programId} />}
      {data &&
        !hasMeasures &&
        (mayWrite ? <Profiles programId={programId} effectiveness={data} /> : <NoMeasures />)}
      {data && hasMeasures && <Measures measures={data.Measures} />}
    </Page>
  )
}

function Missing({ data, programId }: { data: Effectiveness; programId: number }) {
  const words = useWords()
  const { WithoutExam, WithoutPlacement, IsPublic } = data
  return (
    <nav className={classes.band} aria-label={words('effectiveness.graduates')}>
      <PageLink href="/new/admin/graduates">{words('effectiveness.graduates')}</PageLink>
      {WithoutExam > 0 && (
        <PageLink href="/new/admin/graduates?missing=exam">
          {words('effectiveness.withoutExam', { count: WithoutExam })}
        </PageLink>
      )}
      {WithoutPlacement > 0 && (
        <PageLink href="/new/admin/graduates?missing=placement">
          {words('effectiveness.withoutPlacement', { count: WithoutPlacement })}
        </PageLink>
      )}
      {IsPublic && (
        <PageLink href={`/new/outcomes/${programId}`}>{words('effectiveness.publicPage')}</PageLink>
      )}
    </nav>
  )
}

function NoMeasures() {
  const words = useWords()
  return (
    <PageMessage kind="empty" text={words('effectiveness.none')} detail={words('effectiveness.noneRead')} />
  )
}

function Measures({ measures }: { measures: readonly MeasureWithResult[] }) {
  const words = useWords()
  const [shown, setShown] = useState<MeasureWithResult>()
  const people = useRead(
    listMeasurePeople,
    { params: { programId: useProgramId(), measureId: shown?.Id ?? 0 } },
    { isEnabled: shown !== undefined },
  )
  const unmet = unmetOf(measures)
  const statusOf = (measure: MeasureWithResult) => {
    const { IsMet } = measure.Result
    if (IsMet === null) return undefined
    if (IsMet) return <StatusTag status="approved">{words('effectiveness.met')}</StatusTag>
    return unmet.includes(measure) ? (
      <StatusTag status="careful">{words('effectiveness.notMet')}</StatusTag>
    ) : (
      <StatusTag status="clean">{words('effectiveness.metByOther')}</StatusTag>
    )
  }
  return (
    <div className={classes.cards}>
      {measures.map((measure) => {
        const { Pooled, Years, Against } = measure.Result
        return (
          <MeasureCard
            key={measure.Id}
            measure={measure}
            pooled={Pooled}
            against={Against}
            isShort={unmet.includes(measure)}
            status={statusOf(measure)}
            people={
              <Button variant="subtle" onClick={() => setShown(measure)}>
                {words('effectiveness.whoCounts')}
              </Button>
            }
            years={Years.filter(({ Denominator, Unknown }) => Denominator + Unknown > 0).map((year) => ({
              ...year,
              ...(measure.Kind === 'placement' && !year.IsEntered && { unknown: year.Unknown }),
              isQuiet: !Pooled || year.IsOpen || year.Year < Pooled.From || year.Year > Pooled.Through,
              ...(year.IsOpen && { note: words('effectiveness.soFar') }),
              ...(year.IsEntered && { note: words('effectiveness.entered') }),
            }))}
          />
        )
      })}
      {shown && (
        <RatePeople
          title={words('effectiveness.peopleOf', { name: shown.Name })}
          about={aboutMeasure(words, shown)}
          read={people}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  )
}

/** The measures of accreditors, for a program that has none yet. */
function Profiles({ programId, effectiveness }: { programId: number; effectiveness: Effectiveness }) {
  const words = useWords()
  const start = useSave(startFromProfile, measured)
  const use = async (Profile: ProfileKey) => {
    await start.run({ params: { programId }, body: { Profile } }, { basedOn: effectiveness })
    toast.done(words('effectiveness.started', { name: profiles[Profile].name }))
  }
  return (
    <>
      <div className={classes.start}>
        <h2>{words('effectiveness.none')}</h2>
        <p>{words('effectiveness.noneDetail')}</p>
      </div>
      <div className={classes.profiles}>
        {profileKeys.map((key) => (
          <section key={key} className={classes.profile} aria-label={profiles[key].name}>
            <h2>{profiles[key].name}</h2>
            <ul>
              {profiles[key].measures.map(({ Name, Threshold, Years }) => (
                <li key={Name}>
                  {[
                    Name,
                    Threshold === null ? '' : `${Threshold} %`,
                    words('effectiveness.years', { count: Years }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </li>
              ))}
            </ul>
            <Button variant="default" loading={start.isRunning} onClick={() => void use(key)}>
              {words('effectiveness.startFrom')}
            </Button>
          </section>
        ))}
      </div>
    </>
  )
}
