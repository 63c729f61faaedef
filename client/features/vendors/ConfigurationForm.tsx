import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { NumberField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { RequiredFields } from '#client/ui/form/FormBody.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import {
  addConfiguration,
  ConfigurationForm as Fields,
  type listThirdParties,
} from '#shared/vendors/vendors-api.ts'

const DEFAULT_TIMEOUT_MS = 10_000
/** Needed where they are shown. */
const STORE_FIELDS: ReadonlySet<string> = new Set(['bucket', 'region'])

/**
 * A configuration is never changed: keys are renewed by a new one, which the services are moved to,
 * so that what is on its way is still asked about at the address it went to.
 */
export function ConfigurationForm({
  parties,
  onDone,
  onClose,
}: {
  parties: DataOf<typeof listThirdParties>
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('vendors')
  const { reason: offline } = useConnection()
  const send = useSend(addConfiguration, { quiet: true })
  const isStore = (id: unknown) =>
    parties.some(({ thirdPartyId, kind }) => thirdPartyId === id && kind === 'storage')
  const form = useSchemaForm<Fields>({
    schema: Fields,
    values: {
      thirdPartyId: '',
      name: '',
      baseUrl: '',
      timeoutMs: DEFAULT_TIMEOUT_MS,
      bucket: '',
      region: '',
      keyId: '',
      secret: '',
    },
    alsoRequired: ({ thirdPartyId }) => (isStore(thirdPartyId) ? ['bucket', 'region'] : []),
    onSubmit: ({ keyId, secret, bucket = '', region = '', ...rest }) =>
      send.mutateAsync({
        ...rest,
        values: { ...(isStore(rest.thirdPartyId) ? { bucket, region } : {}), keyId, secret },
      }),
    onDone: () => {
      void showMessage({ intent: 'success', message: t('cfgSaved'), key: 'vendors' })
      onDone()
      onClose()
    },
  })
  const ofStore = isStore(useValue({ control: form.form.control, name: 'thirdPartyId' }))
  return (
    <FormDrawer
      isOpen
      width={480}
      title={t('action.configuration')}
      form={form}
      submitText={t('save')}
      submitRefused={offline}
      onClose={onClose}
    >
      <p className="vendors-hint">{t('help.configuration')}</p>
      <SelectField
        name="thirdPartyId"
        label={t('col.thirdPartyName')}
        options={parties.map((one) => ({
          value: one.thirdPartyId,
          label: t('partyOfKind', { name: one.name, kind: t(`kind.${one.kind}`) }),
        }))}
      />
      <TextField name="name" label={t('col.cfgName')} maxLength={60} />
      <TextField
        name="baseUrl"
        label={t('col.baseUrl')}
        help={t('help.baseUrl')}
        maxLength={300}
        placeholder="https://"
      />
      {ofStore && (
        <RequiredFields names={STORE_FIELDS}>
          <TextField name="bucket" label={t('key.bucket')} help={t('help.bucket')} maxLength={63} />
          <TextField
            name="region"
            label={t('key.region')}
            help={t('help.region')}
            maxLength={40}
            placeholder="ap-south-1"
          />
        </RequiredFields>
      )}
      <TextField name="keyId" label={t('key.keyId')} help={t('help.keyId')} maxLength={200} />
      <TextField
        name="secret"
        label={t('key.secret')}
        help={t('help.secret')}
        type="password"
        autoComplete="new-password"
        maxLength={4000}
      />
      <NumberField
        name="timeoutMs"
        label={t('col.timeoutMs')}
        help={t('help.timeout')}
        min={500}
        max={30_000}
        step={500}
      />
    </FormDrawer>
  )
}
