import { Icon } from '@blueprintjs/core'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { TextField } from '#client/ui/form/fields.tsx'
import type { SchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { PasswordValues } from './use-password-form.ts'

export function PasswordFields({ form }: { form: SchemaForm<PasswordValues> }) {
  const t = useText('account')
  const [shown, setShown] = useState(false)
  const [oldPwd, newPwd, confirmNewPwd] = useWatch({
    control: form.form.control,
    name: ['oldPwd', 'newPwd', 'confirmNewPwd'],
  })
  const type = shown ? 'text' : 'password'
  const rules = [
    { key: 'length', holds: newPwd.length >= 8 && newPwd.length <= 20 },
    { key: 'digit', holds: /\d/.test(newPwd) },
    { key: 'letter', holds: /[A-Za-z]/.test(newPwd) },
    { key: 'special', holds: /[^A-Za-z0-9\s]/.test(newPwd) },
    { key: 'differs', holds: newPwd !== '' && newPwd !== oldPwd },
    { key: 'same', holds: newPwd !== '' && newPwd === confirmNewPwd },
  ] as const
  return (
    <>
      <TextField name="username" label={t('password.account')} disabled autoComplete="username" />
      <TextField
        name="oldPwd"
        label={t('password.old')}
        type={type}
        placeholder={t('password.oldHint')}
        autoComplete="current-password"
        maxLength={200}
      />
      <TextField
        name="newPwd"
        label={t('password.new')}
        type={type}
        placeholder={t('password.newHint')}
        autoComplete="new-password"
        maxLength={20}
      />
      <TextField
        name="confirmNewPwd"
        label={t('password.confirm')}
        type={type}
        placeholder={t('password.confirmHint')}
        autoComplete="new-password"
        maxLength={20}
      />
      <div className="password-rules">
        <ul aria-label={t('password.rules')}>
          {rules.map(({ key, holds }) => (
            <li key={key} data-holds={holds}>
              <Icon icon={holds ? 'tick' : 'dot'} size={12} />
              {t(`password.rule.${key}`)}
              <span className="visually-hidden">
                {holds ? t('password.holds') : t('password.open')}
              </span>
            </li>
          ))}
        </ul>
        <label className="check">
          <input
            type="checkbox"
            checked={shown}
            onChange={(event) => setShown(event.target.checked)}
          />
          {t('password.show')}
        </label>
      </div>
    </>
  )
}
