/**
 * Imports a week from a CSV file: account and seven shifts per line. The client parses the file,
 * the server checks each line and reports the faulty ones.
 */
import { useLanguage, useText } from '#client/base/use-text.ts'
import { Button, Callout, Dialog } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { downloadFile } from '#client/session/file.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import { importSchedule, scheduleTemplate } from '#shared/collection/setup-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { addDays } from '#shared/kernel/time.ts'
import { readDutyFile } from './duty-file.ts'

interface Fault {
  row: number
  column: string
  messageKey: string
}

/** @param units whose week is shown */
export function ImportSchedule({
  weekStart,
  units,
  touchesToday,
  onDone,
  onClose,
}: {
  weekStart: string
  units: Omit<InputOf<typeof scheduleTemplate>, 'weekStart'>
  touchesToday: boolean
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('collection')
  const language = useLanguage()
  const titleId = useId()
  const { reason: offline } = useConnection()
  const send = useSend(importSchedule, { quiet: true })
  const [rows, setRows] = useState<{ account: string; days: string[] }[]>([])
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [refusal, setRefusal] = useState<string | null>(null)
  const [confirming, setConfirming] = useState(false)
  const week = t('setup.weekOf', {
    from: formatIst(weekStart, 'day', language),
    to: formatIst(addDays(weekStart, 6), 'day', language),
  })

  async function take(file: File | undefined): Promise<void> {
    setFaults([])
    setRefusal(null)
    setRows([])
    if (file === undefined) return
    if (file.size > 200_000) return setRefusal(t('setup.fileTooLarge'))
    const read = readDutyFile(await file.text())
    setRows(read.rows)
    setFaults(read.faults)
    if (read.rows.length === 0) setRefusal(t('setup.fileUnreadable'))
  }
  const download = (query: InputOf<typeof scheduleTemplate>): Promise<void> =>
    downloadFile(scheduleTemplate, query).catch((error: unknown) => setRefusal(failureText(error)))
  async function save(): Promise<void> {
    try {
      const result = await send.mutateAsync({ weekStart, rows })
      onDone()
      setFaults(result.failed)
      setRows([])
      void showMessage({
        intent: result.failed.length > 0 ? 'warning' : 'success',
        message: t('setup.imported', { ok: result.ok, failed: result.failed.length }),
        key: 'schedule',
      })
      if (result.failed.length === 0) onClose()
    } catch (error) {
      setRefusal(failureText(error))
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      aria-labelledby={titleId}
      className="form-dialog"
      style={{ width: 560 }}
    >
      <OverlayHead id={titleId} title={t('setup.import')} onClose={onClose} />
      <div className="form-fields">
        {refusal !== null && (
          <Callout intent="danger" icon="error" className="form-refusal" role="alert">
            {refusal}
          </Callout>
        )}
        <p>
          <strong className="tabular">{week}</strong>
        </p>
        <p>{t('setup.importHelp')}</p>
        <p className="duty-templates">
          <Button
            variant="minimal"
            size="small"
            icon="download"
            text={t('setup.templateEmpty')}
            disabled={offline !== null}
            onClick={() => void download({})}
          />
          <Button
            variant="minimal"
            size="small"
            icon="download"
            text={t('setup.templateWeek')}
            disabled={offline !== null}
            onClick={() => void download({ weekStart, ...units })}
          />
        </p>
        <p>
          <input
            type="file"
            accept=".csv,text/csv"
            aria-label={t('setup.file')}
            onChange={(event) => void take(event.target.files?.[0])}
          />
        </p>
        {rows.length > 0 && (
          <p className="collection-hint">{t('setup.linesRead', { lines: rows.length })}</p>
        )}
        {faults.length > 0 && (
          <ul className="collection-faults">
            {faults.slice(0, 50).map((fault) => (
              <li key={`${fault.row}:${fault.column}`}>
                {t('setup.lineFault', {
                  row: fault.row,
                  fault: t(`setup.fault.${fault.messageKey}`),
                })}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="form-buttons">
        <ActionButton
          intent="primary"
          text={t('setup.import')}
          busy={send.isPending}
          disabledReason={offline ?? (rows.length === 0 ? t('setup.chooseFile') : null)}
          onClick={() => setConfirming(true)}
        />
      </div>
      <ConfirmAction
        isOpen={confirming}
        intent="warning"
        title={t('setup.askImport', { week })}
        count={rows.length}
        confirmText={t('setup.import')}
        onConfirm={save}
        onClose={() => setConfirming(false)}
      >
        <p>{t('setup.importHint')}</p>
        {touchesToday && <p>{t('setup.todayHint')}</p>}
      </ConfirmAction>
    </Dialog>
  )
}
