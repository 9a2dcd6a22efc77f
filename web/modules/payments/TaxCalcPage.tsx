import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import {
  createTaxRate,
  deleteTaxRate,
  listTaxRates,
  type TaxRate,
  updateTaxRate,
} from '#contract/payments/payments.ts'
import { dollars, maxCents, percent, rateOn, states, taxOf } from '#contract/payments/payments-rules.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './payments.module.css'

const refresh = { refresh: [listTaxRates] }
const stateOptions = states.map((value) => ({ value, label: value }))

/** Tax Calc: what an amount costs with the tax of a state, and the dated rates that super admins keep. */
export function TaxCalcPage() {
  const words = useWords()
  const today = dateOfInstant(new Date(), useTimeZone())
  const rates = useRead(listTaxRates)
  const [editing, setEditing] = useState<TaxRate | 'new'>()
  const create = useSave(createTaxRate, refresh)
  const remove = useSave(deleteTaxRate, refresh)
  const deleteIt = ({ Id, ...rate }: TaxRate) =>
    deleteWithUndo({
      remove: () => remove.run({ params: { rateId: Id } }),
      restore: () => create.run({ body: rate }),
      deleted: words('payments.rateDeleted', { state: rate.State }),
    })
  const standing = (rate: TaxRate) =>
    rate.StartsOn > today
      ? words('payments.later')
      : rateOn(rates.data ?? [], rate.State, today)?.Id === rate.Id
        ? words('payments.inForce')
        : words('payments.earlier')
  const add = (
    <Button
      variant="default"
      leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />}
      onClick={() => setEditing('new')}
    >
      {words('payments.addRate')}
    </Button>
  )
  return (
    <Page
      title={words('payments.taxCalc')}
      footer={rates.data && words('payments.rateCount', { count: rates.data.length })}
      inset
    >
      <Section title={words('payments.calculator')}>
        <Calculator rates={rates.data ?? []} today={today} />
      </Section>
      <div className={classes.rates}>
        <Section title={words('payments.rates')} end={add}>
          <Grid
            id="tax-rates"
            label={words('payments.rates')}
            columns={[
              { id: 'State', header: words('payments.state'), identity: true, sortable: true },
              {
                id: 'StartsOn',
                header: words('payments.startsOn'),
                width: 150,
                sortable: true,
                cell: (row) => formatDate(row.StartsOn),
              },
              {
                id: 'Rate',
                header: words('payments.calcRate'),
                width: 110,
                align: 'end',
                sortable: true,
                cell: (row) => percent(row.Rate),
              },
              {
                id: 'Standing',
                header: words('payments.standing'),
                width: 150,
                cell: (row) =>
                  standing(row) === words('payments.inForce') ? (
                    <StatusTag status="approved">{standing(row)}</StatusTag>
                  ) : (
                    standing(row)
                  ),
                text: standing,
              },
            ]}
            {...fromList(rates)}
            rowKey={({ Id }) => Id}
            sortHere
            empty={{ text: words('payments.noRates') }}
            onOpen={setEditing}
            height="auto"
            framed
            actions={(row) => [editAction(() => setEditing(row)), deleteAction(() => void deleteIt(row))]}
          />
        </Section>
      </div>
      {editing && (
        <RateDialog
          {...(editing !== 'new' && { rate: editing })}
          today={today}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Page>
  )
}

function Calculator({ rates, today }: { rates: readonly TaxRate[]; today: string }) {
  const words = useWords()
  const [{ state }, setAddress] = useAddress({ state: '' })
  const [amount, setAmount] = useState<number | null>(null)
  const [day, setDay] = useState<string | null>(today)
  const [isExempt, setExempt] = useState(false)
  const cents = amount === null ? null : Math.round(amount * 100)
  const rate = isExempt ? 0 : rateOn(rates, state, day ?? today)?.Rate
  const isOutOfRange = cents !== null && (cents < 0 || cents > maxCents)
  const isAsked = !state || cents === null || isOutOfRange
  return (
    <>
      <div className={classes.calculator}>
        <SelectField
          name="CalcState"
          label={words('payments.state')}
          options={stateOptions}
          value={states.includes(state) ? state : null}
          onChange={(value) => setAddress({ state: value ?? '' })}
        />
        <NumberField
          name="CalcAmount"
          label={words('payments.amount')}
          hint={words('payments.amountHint')}
          min={0}
          max={maxCents / 100}
          decimals={2}
          value={amount}
          onChange={setAmount}
        />
        <DateField name="CalcDay" label={words('payments.day')} value={day} onChange={setDay} />
        <CheckField
          name="CalcExempt"
          label={words('payments.calcExempt')}
          value={isExempt}
          onChange={setExempt}
        />
      </div>
      <div className={classes.result} aria-live="polite">
        {isAsked ? (
          <p>{words('payments.calcAsk')}</p>
        ) : rate === undefined ? (
          <p>{words('payments.noRate', { state, date: formatDate(day ?? today) })}</p>
        ) : (
          [
            [words('payments.calcRate'), isExempt ? words('payments.exempt') : percent(rate)],
            [words('payments.calcTax'), dollars(taxOf(cents, rate))],
            [words('payments.calcTotal'), dollars(cents + taxOf(cents, rate))],
          ].map(([label, value]) => (
            <dl key={label} style={{ margin: 0 }}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </dl>
          ))
        )}
      </div>
    </>
  )
}

function RateDialog({ rate, today, onClose }: { rate?: TaxRate; today: string; onClose: () => void }) {
  const words = useWords()
  const create = useSave(createTaxRate, refresh)
  const update = useSave(updateTaxRate, refresh)
  const must = required(words('payments.required'))
  const form = useEditForm({
    initialValues: {
      State: (rate?.State ?? null) as string | null,
      StartsOn: (rate?.StartsOn ?? today) as string | null,
      Rate: rate ? rate.Rate / 1000 : (null as number | null),
    },
    rules: {
      State: must,
      StartsOn: must,
      Rate: (value: number | null) =>
        value === null
          ? words('payments.required')
          : value < 0 || value > 100
            ? words('payments.rateRange')
            : null,
    },
    save: ({ State, StartsOn, Rate }) => {
      const body = { State: State ?? '', StartsOn: StartsOn ?? '', Rate: Math.round((Rate ?? 0) * 1000) }
      return rate
        ? update.run({ params: { rateId: rate.Id }, body }, { basedOn: rate })
        : create.run({ body })
    },
  })
  const saved = () => {
    toast.done(words('payments.rateSaved', { state: form.values.State ?? '' }))
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('payments.rateTitle')}
      summary={words('payments.rateNote')}
      stayOnOutsideClick
      actions={
        <Button
          loading={form.isSaving}
          onClick={async () => {
            if (await form.submit()) saved()
          }}
        >
          {words('payments.save')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose} onSaved={saved}>
        <div className={classes.fields}>
          <SelectField
            label={words('payments.state')}
            required
            options={stateOptions}
            {...form.field('State')}
          />
          <DateField label={words('payments.startsOn')} required {...form.field('StartsOn')} />
          <NumberField
            label={words('payments.ratePercent')}
            required
            min={0}
            max={100}
            decimals={3}
            {...form.field('Rate')}
          />
        </div>
      </Form>
    </Dialog>
  )
}
