/**
 * Edits many parameters in one call, all or none: new ones as table rows, or the selected ones with
 * their values side by side.
 */
import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { addConfigs, MOST_PARAMETERS, updateConfigs } from '#shared/system/config-api.ts'
import {
  fitsParameter,
  PARAMETER_TYPES,
  type ParameterType,
} from '#shared/system/parameter-value.ts'
import type { Parameter } from './parameter-types.ts'
import { parameterName } from './parameter-name.ts'

interface Line {
  number: string
  code: string
  name: string
  value: string
  valueType: ParameterType
  remark: string
  of: Parameter | null
}
type Field = 'number' | 'code' | 'name' | 'value' | 'remark'

const EMPTY: Line = {
  number: '',
  code: '',
  name: '',
  value: '',
  valueType: 'int',
  remark: '',
  of: null,
}

/** @param parameters to edit; empty = creates new ones */
export function BatchDrawer({
  parameters,
  onDone,
  onClose,
}: {
  parameters: readonly Parameter[]
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('system', 'parameters')
  const { reason: offline } = useConnection()
  const isNew = parameters.length === 0
  const add = useSend(addConfigs, { quiet: true })
  const edit = useSend(updateConfigs, { quiet: true })
  const [lines, setLines] = useState<readonly Line[]>(() =>
    isNew
      ? [EMPTY, EMPTY, EMPTY]
      : parameters.map((of) => ({
          number: of.number,
          code: of.code,
          name: of.name,
          value: of.value,
          valueType: of.valueType,
          remark: of.remark ?? '',
          of,
        })),
  )
  /** `row.field` → message. */
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [confirming, setConfirming] = useState(false)
  const given = lines.flatMap((line, n) =>
    isNew && [line.number, line.code, line.name, line.value].every((text) => text.trim() === '')
      ? []
      : [{ line, n }],
  )
  const set = (n: number, change: Partial<Line>) =>
    setLines((now) => now.map((line, i) => (i === n ? { ...line, ...change } : line)))

  function look(): void {
    const found: Record<string, string> = {}
    for (const { line, n } of given) {
      for (const field of isNew ? (['number', 'code', 'name'] as const) : (['name'] as const))
        if (line[field].trim() === '') found[`${n}.${field}`] = t('ui:fault.required')
      if (isNew && line.code !== '' && !/^[a-z][a-z._]*$/.test(line.code))
        found[`${n}.code`] = t('fault.code')
      if (
        !fitsParameter(line.valueType, line.value, line.of?.builtIn ? line.of.code : null) ||
        (line.valueType === 'text' && line.value === '')
      )
        found[`${n}.value`] = t('fault.value')
    }
    setFaults(found)
    setRefusal(null)
    if (Object.keys(found).length === 0 && given.length > 0) setConfirming(true)
  }
  async function send(): Promise<void> {
    try {
      if (isNew)
        await add.mutateAsync({
          items: given.map(({ line: { of: _of, remark, ...rest } }) => ({
            ...rest,
            ...(remark === '' ? {} : { remark }),
          })),
        })
      else
        await edit.mutateAsync({
          items: given.map(({ line }): InputOf<typeof updateConfigs>['items'][number] => ({
            configId: line.of?.configId ?? '',
            version: line.of?.version ?? 1,
            name: line.name,
            value: line.value,
            ...(line.remark === '' ? {} : { remark: line.remark }),
          })),
        })
    } catch (error) {
      setFaults(
        marksOf(
          error,
          given.map(({ n }) => n),
          t,
        ),
      )
      setRefusal(messageOf(error))
      return
    }
    void showMessage({ intent: 'success', message: t('saved'), key: 'system' })
    onDone()
    onClose()
  }
  const cell = (n: number, field: Field, label: string) => (
    <td>
      <input
        className={`bp6-input${faults[`${n}.${field}`] ? ' is-wrong' : ''}`}
        aria-label={`${label} ${n + 1}`}
        aria-invalid={faults[`${n}.${field}`] !== undefined}
        value={lines[n]?.[field] ?? ''}
        onChange={(event) => set(n, { [field]: event.target.value })}
      />
      {faults[`${n}.${field}`] ? <small>{faults[`${n}.${field}`]}</small> : null}
    </td>
  )
  return (
    <SideDrawer
      isOpen
      width={980}
      title={isNew ? t('conf.batchAdd') : t('conf.batchEdit', { n: parameters.length })}
      onClose={onClose}
      canOutsideClickClose={false}
    >
      <div className="system-batch-wrap">
        <table className="system-batch">
          <thead>
            <tr>
              {isNew && <th scope="col">{t('conf.col.number')}</th>}
              <th scope="col">{t('conf.col.code')}</th>
              <th scope="col">{t('conf.col.name')}</th>
              {isNew && <th scope="col">{t('conf.col.valueType')}</th>}
              <th scope="col">{t('conf.col.value')}</th>
              <th scope="col">{t('conf.col.remark')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, n) => (
              // rows are only appended
              <tr key={line.of?.configId ?? n}>
                {isNew && cell(n, 'number', t('conf.col.number'))}
                {isNew ? cell(n, 'code', t('conf.col.code')) : <th scope="row">{line.code}</th>}
                {line.of?.builtIn ? (
                  <td>{parameterName(t, line.of)}</td>
                ) : (
                  cell(n, 'name', t('conf.col.name'))
                )}
                {isNew && (
                  <td>
                    <select
                      aria-label={`${t('conf.col.valueType')} ${n + 1}`}
                      value={line.valueType}
                      onChange={(event) =>
                        set(n, { valueType: event.target.value as ParameterType })
                      }
                    >
                      {PARAMETER_TYPES.map((type) => (
                        <option key={type} value={type}>
                          {t(`conf.type.${type}`)}
                        </option>
                      ))}
                    </select>
                  </td>
                )}
                {cell(n, 'value', t('conf.col.value'))}
                {cell(n, 'remark', t('conf.col.remark'))}
              </tr>
            ))}
          </tbody>
        </table>
        {isNew && (
          <Button
            variant="minimal"
            icon="plus"
            text={t('conf.addRow')}
            disabled={lines.length >= MOST_PARAMETERS}
            onClick={() => setLines((now) => [...now, EMPTY])}
          />
        )}
      </div>
      <div className="system-batch-foot">
        <p role="alert">{refusal}</p>
        <Button text={t('ui:form.cancel')} onClick={onClose} />
        <ActionButton
          intent="primary"
          text={t('ui:form.save')}
          disabledReason={offline ?? (given.length === 0 ? t('conf.nothing') : null)}
          onClick={look}
        />
      </div>
      <ConfirmAction
        isOpen={confirming}
        intent="warning"
        count={given.length}
        title={t('conf.askBatch')}
        confirmText={t('conf.change')}
        onConfirm={send}
        onClose={() => setConfirming(false)}
      >
        <p>{t('conf.batchMeans')}</p>
      </ConfirmAction>
    </SideDrawer>
  )
}

/** `items.2.code` of the server → the row shown here. */
function marksOf(
  error: unknown,
  rows: readonly number[],
  t: (key: string) => string,
): Record<string, string> {
  const fields = (error as { fields?: Record<string, string> | null }).fields ?? {}
  return Object.fromEntries(
    Object.entries(fields).flatMap(([path, key]) => {
      const [, n, field] = /^items\.(\d+)\.(\w+)$/.exec(path) ?? []
      const row = rows[Number(n)]
      return row === undefined
        ? []
        : [[`${row}.${field}`, key.includes(':') ? t(key) : t('fault.value')]]
    }),
  )
}
