import { useState } from 'react'
import {
  type OwnDisclosures as Disclosures,
  getOwnDisclosures,
  giveConsent,
  revokeConsent,
} from '#contract/requirements/packets.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useUser } from '#web/api/use-state.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { OwnCard, OwnPart } from '#web/ui/OwnScreen.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './own-requirements.module.css'

type Consent = Disclosures['Consents'][number]

const day = (instant: string): string => formatDate(dateOfInstant(instant))

/** What sites were told of the student, and the consents that they need. Nothing where there is neither. */
export function OwnDisclosures() {
  const words = useWords()
  const own = useRead(getOwnDisclosures)
  const [signing, setSigning] = useState<Consent>()
  const { Consents = [], Disclosures: told = [] } = own.data ?? {}
  if (Consents.length === 0 && told.length === 0) return null
  return (
    <OwnPart title={words('packets.ownTitle')}>
      <OwnCard>
        {Consents.map((consent) => (
          <li key={consent.SiteId}>
            <ConsentRow consent={consent} onSign={() => setSigning(consent)} />
          </li>
        ))}
        {told.map((each) => (
          <li key={`${each.Site} ${each.At}`}>
            <div className={classes.row}>
              <span className={classes.told}>
                <b>{words('packets.told', { site: each.Site, date: day(each.At) })}</b>
                <span>{words('packets.toldTo', { recipient: each.Recipient, name: each.By })}</span>
                <span>
                  {each.LastOpenedAt
                    ? words('packets.toldOpened', { date: day(each.LastOpenedAt) })
                    : words('packets.toldNotOpened')}
                  {' · '}
                  {words('packets.metOf', {
                    met: each.Lines.filter(({ IsMet }) => IsMet).length,
                    all: each.Lines.length,
                  })}
                </span>
              </span>
            </div>
          </li>
        ))}
      </OwnCard>
      {signing && <ConsentDialog consent={signing} onClose={() => setSigning(undefined)} />}
    </OwnPart>
  )
}

function ConsentRow({ consent, onSign }: { consent: Consent; onSign: () => void }) {
  const words = useWords()
  const revoke = useSave(revokeConsent, { refresh: [getOwnDisclosures] })
  return (
    <div className={classes.row}>
      <span className={classes.told}>
        <b>
          {consent.SignedAt
            ? words('packets.ownConsent', { date: day(consent.SignedAt), site: consent.Site })
            : words('packets.ownConsentAsked', { site: consent.Site })}
        </b>
      </span>
      {consent.SignedAt ? (
        <Button
          variant="default"
          size="lg"
          loading={revoke.isRunning}
          onClick={() =>
            void attemptWhenSure(
              { text: words('packets.revokeQuestion'), verb: words('packets.revoke') },
              async () => {
                await revoke.run({ params: { siteId: consent.SiteId } })
                toast.done(words('packets.revoked'))
              },
              words('packets.notRevoked'),
            )
          }
        >
          {words('packets.revoke')}
        </Button>
      ) : (
        <Button variant="default" size="lg" onClick={onSign}>
          {words('packets.agree')}
        </Button>
      )}
    </div>
  )
}

function ConsentDialog({ consent, onClose }: { consent: Consent; onClose: () => void }) {
  const words = useWords()
  const user = useUser()
  const give = useSave(giveConsent, { refresh: [getOwnDisclosures] })
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const submit = async () => {
    try {
      await give.run({ params: { siteId: consent.SiteId }, body: { Name: name.trim() } })
      toast.done(words('packets.agreed'))
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <Dialog
      stayOnOutsideClick
      opened
      onClose={onClose}
      title={words('packets.ownConsentAsked', { site: consent.Site })}
      actions={
        <DialogActions
          verb={words('packets.agreeButton')}
          onCancel={onClose}
          onRun={() => void submit()}
          isRunning={give.isRunning}
        />
      }
    >
      <p>{consent.Text}</p>
      <TextField
        label={words('packets.typeName')}
        hint={user.Name}
        required
        maxLength={100}
        name="ConsentName"
        value={name}
        onChange={setName}
        {...(problem !== undefined && { error: problem })}
      />
    </Dialog>
  )
}
