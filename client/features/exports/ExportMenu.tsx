/** Beside every list that may be exported: its rows as a file, made by a job. The file comes by itself when it is ready. */
import './exports.css'
import { PopoverNext } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '#client/live/use-connection.ts'
import { call } from '#client/session/call.ts'
import { downloadFile } from '#client/session/file.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePage } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import type { ExportSlot } from '#client/ui/grid-slots.ts'
import { formatCount } from '#client/ui/ist-format.ts'
import { downloadExport, EXPORT_FORMATS, type ExportFormat, startExport } from '#shared/exports/exports-api.ts'
import { jobDetail } from '#shared/jobs/jobs-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { TOTAL_CAP } from '#shared/kernel/page.ts'
import { exportCode } from '#shared/kernel/permission.ts'

export function ExportMenu(props: ExportSlot): ReactNode {
  const { source } = props
  const { btnPermissions } = usePage()
  const { t } = useTranslation('ui')
  const [open, setOpen] = useState(false)
  if (exportCode(source.endpoint, new Set(btnPermissions), source.input) === null) return null
  return (
    <PopoverNext isOpen={open} onInteraction={setOpen} placement="bottom-end" content={<Choice {...props} onStarted={() => setOpen(false)} />}>
      <ActionButton variant="minimal" icon="export" text={t('export.button')} aria-haspopup="dialog" />
    </PopoverNext>
  )
}

function Choice({ source, title, total, totalCapped, columns, only, chosen, onStarted }: ExportSlot & { onStarted: () => void }): ReactNode {
  const { t } = useTranslation('ui')
  const { reason: offline } = useConnection()
  const send = useSend(startExport)
  const refused = offline ?? (total === 0 ? t('export.nothing') : totalCapped && chosen === 0 ? t('export.tooMany', { n: formatCount(TOTAL_CAP) }) : null)

  async function start(format: ExportFormat): Promise<void> {
    const { pageNum: _page, pageSize: _size, ...rest } = source.input
    const filters = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== null && value !== '')) as InputOf<typeof startExport>['filters']
    const rows = only()
    // a refusal says itself why
    const started = await send.mutateAsync({ list: source.endpoint.path, filters, columns: columns().map((column) => ({ ...column })), format, title, ...(rows === null ? {} : { only: rows }) }).catch(() => null)
    if (started === null) return
    onStarted()
    await bringFile(started.jobId, t('export.started'))
  }
  return (
    <div className="export-menu">
      <p>{chosen > 0 ? t('export.what.chosen', { count: chosen, n: formatCount(chosen) }) : t('export.what.all', { count: total, n: formatCount(total) })}</p>
      {EXPORT_FORMATS.map((format) => (
        <ActionButton key={format} icon="download" text={t(`export.${format}`)} busy={send.isPending} disabledReason={refused} onClick={() => void start(format)} />
      ))}
      <small>{t('export.hint')}</small>
    </div>
  )
}

const ASK_MS = 400
/** A file that takes longer waits in the job tray. */
const PATIENCE_MS = 20_000

/** Most files are ready within a second: asked for a while, so that nobody has to look for them. */
async function bringFile(jobId: string, waiting: string): Promise<void> {
  const began = performance.now()
  let told = false
  while (performance.now() - began < PATIENCE_MS) {
    const found = await call(jobDetail, { jobId }, { quiet: true }).catch(() => null)
    if (found && found.job.state !== 'queued' && found.job.state !== 'running') {
      if (found.job.fileId !== null) await downloadFile(downloadExport, { jobId }).catch(() => undefined)
      return
    }
    if (!told && performance.now() - began > 2 * ASK_MS) {
      told = true
      void showMessage({ intent: 'primary', message: waiting, key: 'export' })
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
  }
}
