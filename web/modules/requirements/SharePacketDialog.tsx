import { useState } from 'react'
import {
  createPacket,
  getPacketDraft,
  listPackets,
  listSiteRules,
  packetDays,
} from '#contract/requirements/packets.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useReadAll } from '#web/api/use-read-all.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { Checkbox } from '#web/ui/inputs.ts'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './packets.module.css'

/** Shares with somebody at a site which requirements its students meet. */
export function SharePacketDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const [siteId, setSiteId] = useState<string | null>(null)
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [days, setDays] = useState<number | null>(packetDays.initial)
  const { problem, attempt } = useAttempt()
  const sites = useReadAll(listSiteRules, { params: { programId } })
  const draft = useRead(
    getPacketDraft,
    { params: { programId }, query: { SiteId: Number(siteId) || 1 } },
    { isEnabled: siteId !== null, keepsLast: false },
  )
  const share = useSave(createPacket, { refresh: [listPackets] })
  const covered = draft.data?.Students.filter(({ IsCovered }) => IsCovered) ?? []
  const chosen = covered.filter(({ Id }) => !left.has(Id))
  const isReady = chosen.length > 0 && name.trim() !== '' && email.trim() !== ''
  const send = () =>
    attempt(async () => {
      await share.run({
        params: { programId },
        body: {
          SiteId: Number(siteId),
          StudentIds: chosen.map(({ Id }) => Id),
          RecipientName: name.trim(),
          RecipientEmail: email.trim(),
          Days: days ?? packetDays.initial,
        },
      })
      toast.done(words('packets.shared', { name: name.trim() }))
      onClose()
    })
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      unsaved={left.size}
      title={words('packets.shareTitle')}
      actions={
        <DialogActions
          verb={words('packets.send', { count: chosen.length })}
          onCancel={onClose}
          onRun={() => void send()}
          isRunning={share.isRunning}
          isDisabled={!isReady}
        />
      }
    >
      <div className={classes.form}>
        <SelectField
          label={words('packets.site')}
          required
          name="Site"
          placeholder={words('packets.chooseSite')}
          options={(sites.data ?? []).map(({ SiteId, Site }) => ({
            value: String(SiteId),
            label: Site,
          }))}
          value={siteId}
          onChange={(next) => {
            setSiteId(next)
            setLeft(new Set())
          }}
        />
        {draft.data && !draft.data.Basis && (
          <p className={classes.caution}>
            {words('packets.noBasis')}{' '}
            <PageLink href={`/new/admin/requirements/sites/edit?id=${siteId}`}>
              {words('packets.setBasis')}
            </PageLink>
          </p>
        )}
        {draft.data?.Basis && draft.data.Students.length === 0 && (
          <p className={classes.quiet}>{words('packets.nobodyThere')}</p>
        )}
        {draft.data?.Basis && draft.data.Students.length > 0 && (
          <>
            <fieldset className={classes.students}>
              <legend>{words('packets.whom')}</legend>
              {draft.data.Students.map(({ Id, Student, FirstDate, OpenCount, IsCovered }) => (
                <Checkbox
                  key={Id}
                  disabled={!IsCovered}
                  checked={IsCovered && !left.has(Id)}
                  onChange={(event) => {
                    const next = new Set(left)
                    if (event.currentTarget.checked) next.delete(Id)
                    else next.add(Id)
                    setLeft(next)
                  }}
                  label={
                    <>
                      {Student}{' '}
                      <span className={classes.quiet}>
                        {[
                          words('packets.from', { date: formatDate(FirstDate) }),
                          IsCovered
                            ? OpenCount === 0
                              ? words('packets.allMet')
                              : words('packets.notMet', { count: OpenCount })
                            : words('packets.noConsent'),
                        ].join(' · ')}
                      </span>
                    </>
                  }
                />
              ))}
            </fieldset>
            {draft.data.Contacts.length > 0 && (
              <SelectField
                label={words('packets.contact')}
                name="Contact"
                options={draft.data.Contacts.map((contact) => ({
                  value: contact.EmailAddress,
                  label: `${contact.Name}, ${contact.EmailAddress}`,
                }))}
                value={draft.data.Contacts.some(({ EmailAddress }) => EmailAddress === email) ? email : null}
                onChange={(value) => {
                  const contact = draft.data?.Contacts.find(({ EmailAddress }) => EmailAddress === value)
                  setName(contact?.Name ?? '')
                  setEmail(contact?.EmailAddress ?? '')
                }}
              />
            )}
            <TextField
              label={words('packets.recipientName')}
              required
              maxLength={100}
              name="RecipientName"
              value={name}
              onChange={setName}
            />
            <TextField
              label={words('packets.recipientEmail')}
              required
              type="email"
              maxLength={255}
              name="RecipientEmail"
              value={email}
              onChange={setEmail}
            />
            <NumberField
              label={words('packets.days')}
              min={packetDays.least}
              max={packetDays.most}
              name="Days"
              value={days}
              onChange={setDays}
            />
          </>
        )}
        {problem && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}
