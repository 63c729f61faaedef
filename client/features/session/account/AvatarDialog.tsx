/** The own picture: shown, replaced, or removed. */
import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useFileUrl } from '#client/base/use-file-url.ts'
import { useText } from '#client/base/use-text.ts'
import { checkFiles, FilesField, useFormFiles } from '#client/features/files/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { setAvatar, useSession } from '#client/session/session-store.ts'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { useFace } from '#client/ui/value/faces.ts'
import { initials } from '#client/ui/value/Presence.tsx'
import type { FileRule } from '#shared/kernel/endpoint.ts'
import { AVATAR_FILE, saveAvatar } from '#shared/session/avatar-api.ts'
import { closeAccountDialog } from './account-dialog.ts'

/** Without a file the call removes the picture, which has a button of its own. */
const RULE: FileRule = { ...AVATAR_FILE, least: 1 }
interface Values {
  avatar: readonly File[]
}

export function AvatarDialog(): ReactNode {
  const t = useText('account')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const send = useSend(saveAvatar, { quiet: true })
  const removal = useSend(saveAvatar)
  const form = useFormFiles(
    useSchemaForm<Values>({
      schema: saveAvatar.input,
      values: { avatar: [] },
      async onSubmit() {
        const avatar = await checkFiles(form.form.getValues('avatar'), RULE)
        // files are sent beside the input
        setAvatar((await send.mutateAsync({ avatar })).avatar)
      },
      onDone: () => end('avatar.saved'),
    }),
    RULE,
    saveAvatar.input,
  )
  const [chosen] = useValue({ control: form.form.control, name: 'avatar' })
  const kept = useFace(user)
  const shown = useFileUrl(chosen) ?? kept

  function end(done: 'avatar.saved' | 'avatar.removed'): void {
    void showMessage({ intent: 'success', message: t(done), key: 'avatar' })
    closeAccountDialog()
  }
  async function remove(): Promise<void> {
    const answer = await removal.mutateAsync({}).catch(() => null)
    if (answer === null) return
    setAvatar(null)
    end('avatar.removed')
  }

  return (
    <FormDialog
      isOpen
      title={t('avatar.title')}
      form={form}
      submitText={t('avatar.submit')}
      submitRefused={offline}
      onClose={closeAccountDialog}
    >
      <p className="account-text">{t('avatar.text')}</p>
      <FilesField
        rule={RULE}
        label={t('avatar.label')}
        help={t('avatar.help', { mb: AVATAR_FILE.bytes / 1_048_576 })}
      >
        <div className="avatar-now">
          <span className="account-face is-large" aria-hidden={shown === null}>
            {initials(user.userName)}
            {shown !== null && (
              <img src={shown} alt={t(chosen ? 'avatar.chosen' : 'avatar.current')} />
            )}
          </span>
          {user.avatar !== null && chosen === undefined && (
            <ActionButton
              variant="minimal"
              icon="cross"
              text={t('avatar.remove')}
              disabledReason={offline}
              onClick={remove}
            />
          )}
        </div>
      </FilesField>
    </FormDialog>
  )
}
