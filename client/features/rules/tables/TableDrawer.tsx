/** A table with its versions and what each changed, a test on one application, and its test cases. */
import '../rules.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '#client/base/use-text.ts'
import { useLive } from '#client/live/use-live.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { saveTableCase } from '#shared/rules/case-api.ts'
import { RULE_CHANGED } from '#shared/rules/rules-live.ts'
import { tableText } from '#shared/rules/tables/decision-table.ts'
import { tableDetail, testTable } from '#shared/rules/tables/table-api.ts'
import { CasesPane } from '../book/CasesPane.tsx'
import { VERSION_TONES } from '../version-tones.ts'
import { SaveFileButton } from './FileButtons.tsx'
import type { Table, TableVersion } from './table-types.ts'
import { TableTestPane } from './TableTestPane.tsx'
import { TableText } from './TableText.tsx'
import { tableName } from '../shipped-words.ts'

const EVENTS = [RULE_CHANGED.type]

export function TableDrawer({
  table,
  may,
  onClose,
}: {
  table: Table
  may: (endpoint: Pick<Endpoint, 'access'>) => boolean
  onClose: () => void
}): ReactNode {
  const t = useText('rules')
  const { data, error, refetch } = useQuery(queryOf(tableDetail, { tableId: table.tableId }))
  useLive(EVENTS, () => void refetch())
  const save = useSend(saveTableCase)
  const mayTest = may(testTable)
  const versions = data?.versions ?? []
  const [latest] = versions
  return (
    <SideDrawer
      isOpen
      title={`${table.tableId} · ${tableName(t, table.tableId, table.name)}`}
      width={900}
      onClose={onClose}
    >
      <div className="rule-drawer">
        {error && <ErrorPane error={error} onRetry={() => void refetch()} />}
        {data && (
          <>
            <section aria-label={t('rule.versions')}>
              <h3>{t('rule.versions')}</h3>
              <ol className="rule-versions">
                {versions.map((version, i) => (
                  <li key={version.versionNo}>
                    <Version tableId={table.tableId} version={version} before={versions[i + 1]} />
                  </li>
                ))}
              </ol>
            </section>
            {mayTest && <TableTestPane table={data.table} onKept={() => void refetch()} />}
            {latest && (
              <CasesPane
                cases={data.cases}
                fields={latest.table.inputs}
                outputs={latest.table.outputs}
                save={(fields) => save.mutateAsync({ tableId: table.tableId, ...fields })}
                mayEdit={mayTest}
                onChanged={() => void refetch()}
              />
            )}
          </>
        )}
        {!data && !error && <p role="status">{t('ui:grid.loading')}</p>}
      </div>
    </SideDrawer>
  )
}

function Version({
  tableId,
  version,
  before,
}: {
  tableId: string
  version: TableVersion
  before: TableVersion | undefined
}): ReactNode {
  const t = useText('rules')
  const language = useLanguage()
  const { versionNo, state, createBy, createTime, enableBy, enableTime } = version
  const time = (instant: string) => formatIst(instant, 'dayTime', language) ?? ''
  const isSame = before !== undefined && tableText(before.table) === tableText(version.table)
  const changed = before
    ? (['name', 'order', 'description'] as const).filter((name) => before[name] !== version[name])
    : []
  return (
    <>
      <p className="rule-version-head">
        <strong>v{versionNo}</strong>
        <StatusTag tone={VERSION_TONES[state]}>{t(`rule.versionState.${state}`)}</StatusTag>
        {createBy !== '' && (
          <span>{t('rule.savedBy', { name: createBy, time: time(createTime) })}</span>
        )}
        {state === 'enabled' && enableTime && enableBy && (
          <span>{t('rule.enabledBy', { name: enableBy, time: time(enableTime) })}</span>
        )}
        <SaveFileButton id={tableId} versionNo={versionNo} />
      </p>
      {before && (
        <p className="rule-facts">
          {t(isSame && changed.length === 0 ? 'rule.noChanges' : 'rule.changes', {
            n: before.versionNo,
          })}
        </p>
      )}
      {before && changed.length > 0 && (
        <dl className="rule-changes">
          {changed.map((name) => (
            <div key={name}>
              <dt>{t(name === 'order' ? 'table.col.order' : `rule.col.${name}`)}</dt>
              <dd>
                {before[name] || '—'} → <strong>{version[name] || '—'}</strong>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <TableText
        table={version.table}
        label={t('table.ofVersion', { n: versionNo })}
        {...(before && !isSame && { before: before.table })}
      />
    </>
  )
}
