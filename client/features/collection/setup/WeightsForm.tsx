/** Weights and locks of all agencies on one sheet; the enabled ones must total 100 to be saved. */
import { useText } from '#client/base/use-text.ts'
import { Callout, Dialog } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { CallError } from '#client/session/call-error.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { failureText } from '#client/ui/feedback/failure.ts'
import { OverlayHead } from '#client/ui/frame/OverlayHead.tsx'
import { listAgencies, weighAgencies } from '#shared/collection/setup-api.ts'
import { CHANGED_BY_OTHER } from '#shared/kernel/problem.ts'
import type { Agency } from './setup-types.ts'

interface Line {
  weight: number | null
  enabled: boolean
}

export function WeightsForm({
  onDone,
  onClose,
}: {
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('collection')
  const titleId = useId()
  const { reason: offline } = useConnection()
  const list = useQuery({
    ...queryOf(listAgencies, { pageSize: 200 }, { quiet: true }),
    staleTime: 0,
  })
  const send = useSend(weighAgencies, { quiet: true })
  const [agencies, setAgencies] = useState<readonly Agency[]>([])
  const [lines, setLines] = useState<ReadonlyMap<string, Line>>(new Map())
  const [refusal, setRefusal] = useState<string | null>(null)
  const rebase = (rows: readonly Agency[]) => {
    setAgencies(rows)
    setLines(
      (now) =>
        new Map(
          rows.map((row) => [
            row.agencyId,
            now.get(row.agencyId) ?? { weight: row.weight, enabled: row.status === 'enabled' },
          ]),
        ),
    )
  }
  useEffect(() => {
    if (list.data && agencies.length === 0) rebase(list.data.rows)
  }, [list.data, agencies.length])

  const total = [...lines.values()].reduce(
    (sum, line) => sum + (line.enabled ? (line.weight ?? 0) : 0),
    0,
  )
  const locking = agencies.filter(
    (agency) => agency.status === 'enabled' && lines.get(agency.agencyId)?.enabled === false,
  )
  const change = (id: string, next: Partial<Line>) =>
    setLines((now) => new Map(now).set(id, { weight: 0, enabled: false, ...now.get(id), ...next }))

  async function save(): Promise<void> {
    setRefusal(null)
    try {
      await send.mutateAsync({
        weights: agencies.map((agency) => ({
          agencyId: agency.agencyId,
          version: agency.version,
          weight: lines.get(agency.agencyId)?.weight ?? 0,
          status: lines.get(agency.agencyId)?.enabled ? 'enabled' : 'locked',
        })),
      })
    } catch (error) {
      setRefusal(failureText(error))
      // typed values stay; the versions below them are the fresh ones
      if (error instanceof CallError && error.problem?.id === CHANGED_BY_OTHER.id)
        rebase((error.data as { rows: Agency[] }).rows)
      return
    }
    void showMessage({ intent: 'success', message: t('setup.saved'), key: 'weights' })
    onDone()
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      aria-labelledby={titleId}
      className="form-dialog"
      style={{ width: 620 }}
      canOutsideClickClose={false}
    >
      <OverlayHead id={titleId} title={t('setup.weights')} onClose={onClose} />
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (total === 100 && offline === null) void save()
        }}
      >
        <div className="form-fields">
          {refusal !== null && (
            <Callout intent="danger" icon="error" className="form-refusal" role="alert">
              {refusal}
            </Callout>
          )}
          <table className="plain-table has-controls">
            <thead>
              <tr>
                <th scope="col">{t('setup.col.agencyName')}</th>
                <th scope="col" className="is-right">
                  {t('setup.col.caseCount')}
                </th>
                <th scope="col">{t('setup.takesCases')}</th>
                <th scope="col" className="is-right">
                  {t('setup.col.weightPercent')}
                </th>
              </tr>
            </thead>
            <tbody>
              {agencies.map((agency) => {
                const line = lines.get(agency.agencyId) ?? { weight: 0, enabled: false }
                return (
                  <tr key={agency.agencyId}>
                    <th scope="row">{agency.name}</th>
                    <td className="is-right">{agency.caseCount}</td>
                    <td>
                      <label className="check">
                        <input
                          type="checkbox"
                          role="switch"
                          checked={line.enabled}
                          onChange={(event) =>
                            change(agency.agencyId, { enabled: event.target.checked })
                          }
                        />
                        {t(line.enabled ? 'status.enabled' : 'status.locked')}
                      </label>
                    </td>
                    <td className="is-right">
                      <input
                        className="bp6-input tabular collection-weight"
                        type="number"
                        min={0}
                        max={100}
                        step={1}
                        aria-label={t('setup.weightOf', { name: agency.name })}
                        value={line.weight ?? ''}
                        onChange={(event) =>
                          change(agency.agencyId, {
                            weight:
                              event.target.value === ''
                                ? null
                                : Math.max(
                                    0,
                                    Math.min(100, Math.round(event.target.valueAsNumber)),
                                  ),
                          })
                        }
                      />
                    </td>
                  </tr>
                )
              })}
            </tbody>
            <tfoot>
              <tr className={total === 100 ? '' : 'is-wrong'}>
                <th scope="row" colSpan={3}>
                  {t('setup.total')}
                </th>
                <td className="is-right" role="status">
                  {t('setup.totalOf', { total })}
                </td>
              </tr>
            </tfoot>
          </table>
          {locking.map((agency) => (
            <p key={agency.agencyId} className="collection-hint is-warning">
              {t('setup.lockHint', { name: agency.name, cases: agency.caseCount })}
            </p>
          ))}
        </div>
        <div className="form-buttons">
          <ActionButton
            type="submit"
            intent="primary"
            busy={send.isPending}
            text={t('setup.save')}
            disabledReason={offline ?? (total === 100 ? null : t('setup.totalWrong', { total }))}
          />
        </div>
      </form>
    </Dialog>
  )
}
