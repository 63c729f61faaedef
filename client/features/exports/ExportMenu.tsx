/**
 * Export menu of a list: a small list is downloaded at once, a larger one is made by a job, and one
 * above a person's row limit needs the approval of a second person.
 */
import './exports.css'
import '#client/ui/form/form.css'
import { PopoverNext } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { call, urlOf } from '#client/session/call.ts'
import { CallError, messageOf } from '#client/session/call-error.ts'
import { downloadFile } from '#client/session/file.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePage } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { focusOpened } from '#client/ui/frame/focus-opened.ts'
import type { ExportSlot } from '#client/ui/grid/grid-slots.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import {
  downloadExport,
  EXPORT_FORMATS,
  type ExportFormat,
  showsPhones,
  startExport,
} from '#shared/exports/exports-api.ts'
import { TOO_MANY_AT_ONCE } from '#shared/exports/exports-problems.ts'
import { jobDetail } from '#shared/jobs/jobs-api.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { TOTAL_CAP } from '#shared/kernel/page.ts'
import { exportCode } from '#shared/kernel/permission.ts'
import { findConfig } from '#shared/system/config-api.ts'

export function ExportMenu(props: ExportSlot): ReactNode {
  const { source } = props
  const { btnPermissions } = usePage()
  const t = useText('exports')
  const [open, setOpen] = useState(false)
  if (exportCode(source.endpoint, new Set(btnPermissions), source.input) === null) return null
  return (
    <PopoverNext
      isOpen={open}
      onInteraction={setOpen}
      placement="bottom-end"
      content={<Choice {...props} onStarted={() => setOpen(false)} />}
    >
      <ActionButton variant="minimal" icon="export" text={t('button')} aria-haspopup="dialog" />
    </PopoverNext>
  )
}

const REASON = { min: 4, max: 200 }

function Choice({
  source,
  title,
  total,
  totalCapped,
  columns,
  only,
  chosen,
  onStarted,
}: ExportSlot & { onStarted: () => void }): ReactNode {
  const t = useText('exports')
  const { reason: offline } = useConnection()
  const send = useSend(startExport, { quiet: true })
  const limit = useQuery(queryOf(findConfig, { code: 'export.approveAbove' }, { quiet: true }))
  const atOnce = useQuery(queryOf(findConfig, { code: 'export.syncMax' }, { quiet: true }))
  const [reason, setReason] = useState('')
  const { btnPermissions } = usePage()
  const code = exportCode(source.endpoint, new Set(btnPermissions), source.input) ?? ''
  const mayReveal =
    showsPhones(source.endpoint) &&
    btnPermissions.includes(`${code.slice(0, code.indexOf(':'))}:reveal`)
  const [reveal, setReveal] = useState(false)
  const [tried, setTried] = useState(false)
  /** The server counts exactly, beyond the cap of the list's total. */
  const [isReasonRequired, setReasonRequired] = useState(false)
  const reasonId = useId()
  const refused = offline ?? (total === 0 ? t('nothing') : null)
  const rows = chosen > 0 ? chosen : totalCapped ? TOTAL_CAP + 1 : total
  const waits = isReasonRequired || (limit.data !== undefined && rows > Number(limit.data.value))
  const needsReason = waits || reveal
  const fault =
    tried && needsReason && (reason.trim().length < REASON.min || reason.trim().length > REASON.max)
      ? t('reasonShort')
      : ''

  async function start(format: ExportFormat): Promise<void> {
    setTried(true)
    if (needsReason && reason.trim().length < REASON.min)
      return document.getElementById(reasonId)?.focus()
    const { pageNum: _page, pageSize: _size, ...rest } = source.input
    const filters = Object.fromEntries(
      Object.entries(rest).filter(
        ([, value]) => value !== undefined && value !== null && value !== '',
      ),
    ) as InputOf<typeof startExport>['filters']
    const rows = only()
    const chosen = columns().map((column) => ({ ...column }))
    try {
      if (
        !waits &&
        rows === null &&
        !totalCapped &&
        total <= Number(atOnce.data?.value ?? 0) &&
        (await bringAtOnce(source.endpoint, {
          ...filters,
          columns: chosen.map((column) => JSON.stringify(column)),
          format,
          title,
          ...(reveal ? { reveal, revealReason: reason.trim() } : {}),
        }))
      )
        return onStarted()
      const { jobId, approvalId } = await send.mutateAsync({
        list: source.endpoint.path,
        filters,
        columns: chosen,
        format,
        title,
        ...(rows === null ? {} : { only: rows }),
        ...(reveal ? { reveal } : {}),
        ...(needsReason ? { reason: reason.trim() } : {}),
      })
      onStarted()
      if (approvalId !== undefined)
        void showMessage({ intent: 'primary', message: t('asked', { approvalId }), key: 'export' })
      if (jobId !== undefined) await downloadWhenReady(jobId, t('started'))
    } catch (error) {
      if (error instanceof CallError && error.fields.reason !== undefined) setReasonRequired(true)
      else void showMessage({ intent: 'warning', message: messageOf(error), key: 'export' })
    }
  }
  return (
    <div className="export-menu" ref={focusOpened}>
      <p>
        {chosen > 0
          ? t('what.chosen', { count: chosen, n: formatCount(chosen) })
          : t('what.all', {
              count: total,
              n: totalCapped ? `${formatCount(total)}+` : formatCount(total),
            })}
      </p>
      {mayReveal && (
        <label className="check">
          <input
            type="checkbox"
            checked={reveal}
            onChange={(event) => setReveal(event.target.checked)}
          />
          {t('reveal')}
        </label>
      )}
      {needsReason && (
        <div className="export-asks">
          {waits && <p>{t('waits', { n: formatCount(Number(limit.data?.value ?? TOTAL_CAP)) })}</p>}
          <label htmlFor={reasonId}>
            {t(waits ? 'reason' : 'revealReason')}
            <span aria-hidden="true"> *</span>
          </label>
          <textarea
            id={reasonId}
            className="bp6-input"
            rows={2}
            maxLength={REASON.max}
            value={reason}
            aria-required
            aria-invalid={fault ? true : undefined}
            aria-describedby={`${reasonId}-fault`}
            onChange={(event) => setReason(event.target.value)}
          />
          <p id={`${reasonId}-fault`} className="fault" role={fault ? 'alert' : undefined}>
            {fault}
          </p>
        </div>
      )}
      {EXPORT_FORMATS.map((format) => (
        <ActionButton
          key={format}
          icon={waits ? 'endorsed' : 'download'}
          text={t(format)}
          busy={send.isPending}
          disabledReason={refused}
          onClick={() => void start(format)}
        />
      ))}
      <small>{t(reveal ? 'hintOpen' : 'hint')}</small>
    </div>
  )
}

/** Longer URLs are cut or refused by proxies. */
const LONGEST_ADDRESS = 7_000

/**
 * @returns false when a job must make the file: the list has no direct call, has grown, or its
 * filters do not fit into a URL
 * @throws CallError
 */
async function bringAtOnce({ file }: Endpoint, input: Record<string, unknown>): Promise<boolean> {
  if (file === undefined) return false
  const call = { ...downloadExport, path: file.path }
  const own = Object.fromEntries(
    Object.entries(file.when ?? {}).map(([name, [value]]) => [name, input[name] ?? value]),
  )
  // the server makes one such call per address, so the contract of its filters is the list's
  const whole = { ...input, ...own } as InputOf<typeof downloadExport>
  if (urlOf(call, whole).url.length > LONGEST_ADDRESS) return false
  try {
    await downloadFile(call, whole)
    return true
  } catch (error) {
    if (error instanceof CallError && error.problem?.id === TOO_MANY_AT_ONCE.id) return false
    throw error
  }
}

const POLL_MS = 400
/** A file that takes longer is left to the job tray. */
const PATIENCE_MS = 20_000

/**
 * Most files are ready within a second, so the job is polled for a while and downloaded directly.
 */
async function downloadWhenReady(jobId: string, waiting: string): Promise<void> {
  const began = performance.now()
  let isAnnounced = false
  while (performance.now() - began < PATIENCE_MS) {
    const found = await call(jobDetail, { jobId }, { quiet: true }).catch(() => null)
    if (found && found.job.state !== 'queued' && found.job.state !== 'running') {
      if (found.job.fileId !== null)
        await downloadFile(downloadExport, { jobId }).catch(() => undefined)
      return
    }
    if (!isAnnounced && performance.now() - began > 2 * POLL_MS) {
      isAnnounced = true
      void showMessage({ intent: 'primary', message: waiting, key: 'export' })
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
