import { useText } from '#client/base/use-text.ts'
import { Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { Field } from '#client/ui/form/Field.tsx'
import { ClockField, NumberField } from '#client/ui/form/fields.tsx'
import { FormBody } from '#client/ui/form/FormBody.tsx'
import type { Faults } from '#client/ui/form/fault.ts'
import type { Unfinished } from '#client/ui/form/form.ts'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { ruleFaults } from '#shared/collection/rule-faults.ts'
import { lastRulesSave, saveCollectionRules } from '#shared/collection/rules-api.ts'
import { CapTable } from './CapTable.tsx'
import { ruleChanges } from './rule-changes.ts'
import { StageTable } from './StageTable.tsx'
import type { Rules } from './rule-types.ts'

type Values = InputOf<typeof saveCollectionRules>

const OMIT = ['version'] as const

interface RulesFormProps {
  rules: Rules
  /** Rules that are not saved yet, as the form begins. */
  proposed?: Partial<Rules>
  /** The version on the server is newer than the one shown. */
  isOvertaken: boolean
  /** The form is untouched: the newer version may replace it. */
  onRenew: () => void
  onSaved: () => void
}

export function RulesForm({
  rules,
  proposed,
  isOvertaken,
  onRenew,
  onSaved,
}: RulesFormProps): ReactNode {
  const t = useText('collection')
  const { reason: offline } = useConnection()
  const mayEdit = usePermission(saveCollectionRules.access)
  const send = useSend(saveCollectionRules, { quiet: true })
  // labels of the roles
  useText('access')
  const [confirming, setConfirming] = useState(false)
  const form = useSchemaForm<Values>({
    schema: saveCollectionRules.input,
    omit: OMIT,
    values: rules,
    check: (values) => faultsOf(values),
    onSubmit: (values) => send.mutateAsync(values),
    onDone: () => {
      void showMessage({ intent: 'success', message: t('rules.saved'), key: 'rules' })
      onSaved()
    },
  })
  const canRenew = isOvertaken && !form.isDirty
  useEffect(() => {
    if (canRenew) onRenew()
  }, [canRenew, onRenew])
  const { setValue } = form.form
  useEffect(() => {
    for (const name of proposed ? FIELDS : [])
      if (proposed?.[name] !== undefined) setValue(name, proposed[name], { shouldDirty: true })
  }, [proposed, setValue])
  const changes = confirming ? ruleChanges(rules, form.form.getValues(), t) : []
  const refused =
    offline ??
    (mayEdit ? null : t('rules.readOnly')) ??
    (form.isDirty ? null : t('rules.nothingChanged'))
  // the changes are shown for confirmation, because they apply to everyone
  const confirmForm = {
    ...form,
    submit: async () =>
      void ((await form.form.trigger(undefined, { shouldFocus: true })) && setConfirming(true)),
  }
  return (
    <>
      <FormBody form={confirmForm} submitText={t('rules.save')} submitRefused={refused}>
        <fieldset className="rules" disabled={!mayEdit}>
          <LastSave />
          {isOvertaken && <Callout intent="warning">{t('rules.overtaken')}</Callout>}
          <ConflictPane
            form={form}
            fields={FIELDS.map((name) => ({
              name,
              label: t(`rules.${name}`),
              text: (value) =>
                Array.isArray(value) ? t('rules.entries', { n: value.length }) : String(value),
            }))}
          />
          <div>
            <section aria-labelledby="rules-contact">
              <h2 id="rules-contact">{t('rules.contact')}</h2>
              <ClockField name="callFrom" label={t('rules.callFrom')} help={t('rules.lawful')} />
              <ClockField name="callTo" label={t('rules.callTo')} />
              <NumberField
                name="maxContactsPerDay"
                label={t('rules.maxContactsPerDay')}
                min={1}
                max={10}
              />
              <NumberField
                name="maxContactsPerWeek"
                label={t('rules.maxContactsPerWeek')}
                min={1}
                max={70}
              />
              <NumberField
                name="contactGapMinutes"
                label={t('rules.contactGapMinutes')}
                min={0}
                max={1_440}
                suffix={t('rules.minutes')}
              />
            </section>
            <section aria-labelledby="rules-allocation">
              <h2 id="rules-allocation">{t('rules.allocation')}</h2>
              <ClockField
                name="stageRunTime"
                label={t('rules.stageRunTime')}
                help={t('rules.stageRunHelp')}
              />
              <Field
                name="allocationTimes"
                label={t('rules.allocationTimes')}
                help={t('rules.allocationTimesHelp')}
              >
                {(control, props) => (
                  <input
                    className="bp6-input tabular"
                    {...props}
                    onBlur={control.onBlur}
                    value={(control.value as string[]).join(', ')}
                    onChange={(event) =>
                      control.onChange(
                        event.target.value.trim() === ''
                          ? []
                          : event.target.value.split(',').map((time) => time.trim()),
                      )
                    }
                  />
                )}
              </Field>
              <NumberField
                name="topUpMinutes"
                label={t('rules.topUpMinutes')}
                min={0}
                max={480}
                suffix={t('rules.minutes')}
                help={t('rules.topUpHelp')}
              />
              <ClockField name="topUpUntil" label={t('rules.topUpUntil')} />
            </section>
          </div>
          <div>
            <section aria-labelledby="rules-promise">
              <h2 id="rules-promise">{t('rules.promise')}</h2>
              <NumberField
                name="ptpMaxDays"
                label={t('rules.ptpMaxDays')}
                min={1}
                max={30}
                suffix={t('rules.days')}
              />
              <NumberField name="ptpMaxBroken" label={t('rules.ptpMaxBroken')} min={0} max={10} />
            </section>
            <section aria-labelledby="rules-caps">
              <h2 id="rules-caps">{t('rules.caps')}</h2>
              <Field name="caps" label={t('rules.capsOf')} help={t('rules.capsHelp')}>
                {(control) => (
                  <CapTable caps={control.value as Rules['caps']} onChange={control.onChange} />
                )}
              </Field>
            </section>
          </div>
          <section className="rules-wide" aria-labelledby="rules-stages">
            <h2 id="rules-stages">{t('rules.stages')}</h2>
            <Field name="perStage" label={t('rules.perStage')}>
              {(control) => (
                <StageTable
                  stages={control.value as Rules['perStage']}
                  onChange={control.onChange}
                />
              )}
            </Field>
          </section>
        </fieldset>
      </FormBody>
      <ConfirmAction
        isOpen={confirming}
        intent="primary"
        title={t('rules.ask')}
        confirmText={t('rules.save')}
        onConfirm={() => form.submit()}
        onClose={() => setConfirming(false)}
      >
        <table className="plain-table is-wrapping">
          <thead>
            <tr>
              <th scope="col">{t('rules.what')}</th>
              <th scope="col">{t('rules.old')}</th>
              <th scope="col">{t('rules.new')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={change.label}>
                <th scope="row">{change.label}</th>
                <td className="rules-old tabular">{change.before}</td>
                <td className="tabular">{change.after}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>{t('rules.means')}</p>
      </ConfirmAction>
    </>
  )
}

/** With the form, which is a new one after each save. */
function LastSave(): ReactNode {
  const t = useText('collection')
  const { data: last } = useQuery({ ...queryOf(lastRulesSave, {}, { quiet: true }), staleTime: 0 })
  return last ? (
    <p className="rules-saved">
      {t('rules.savedBy', { name: last.by })} <IstTime value={last.at} />
    </p>
  ) : null
}

const FIELDS = [
  'callFrom',
  'callTo',
  'maxContactsPerDay',
  'maxContactsPerWeek',
  'contactGapMinutes',
  'ptpMaxDays',
  'ptpMaxBroken',
  'stageRunTime',
  'allocationTimes',
  'topUpMinutes',
  'topUpUntil',
  'perStage',
  'caps',
] as const

function faultsOf(values: Unfinished<Values>): Faults {
  // cast: a comparison with an empty or unreadable number finds nothing but its own fault
  return Object.fromEntries(
    Object.entries(ruleFaults(values as Values)).map(([name, key]) => [name, { key, params: {} }]),
  )
}
