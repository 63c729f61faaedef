import { type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import { ParameterName } from '#client/features/system/public.tsx'
import { useSession } from '#client/session/session-store.ts'
import { Empty } from '#client/ui/Empty.tsx'
import { IstTime } from '#client/ui/IstTime.tsx'
import { SideDrawer } from '#client/ui/SideDrawer.tsx'
import { StatusTag } from '#client/ui/StatusTag.tsx'
import { actionWord, operatorWord } from '../action-word.ts'
import { roleWord } from '../role-words.ts'
import { useSay } from '../use-say.ts'
import { type Difference, differencesOf, type Record, targetOf } from './record-diff.ts'

/** Kinds of target with a page of their own: the page, the field that names the record, the menu that opens it. */
const PAGES: { readonly [kind: string]: readonly [path: string, field: string, menu: string] } = {
  order: ['/detail', 'orderId', 'order_list'],
  review: ['/detail2', 'reviewId', 'review_list'],
  case: ['/detail3', 'caseId', 'pedding_list'],
  ticket: ['/detail4', 'feedbackId', 'user_feedback'],
  role: ['/system/role_edit', 'roleId', 'role_edit'],
}

/** One record whole: what it was about, and its values before and after beside each other. */
export function RecordDrawer({
  record,
  word,
  onClose,
}: {
  record: Record
  word: (title: string, otherwise: string) => string
  onClose: () => void
}): ReactNode {
  const t = useSay()
  const { index } = useSession()
  const all = differencesOf(record.before, record.after)
  const changed = all.filter((one) => one.isChanged)
  const same = all.filter((one) => !one.isChanged)
  const page = PAGES[record.targetKind ?? '']
  const parameter = parameterOf(record)
  const facts: [string, ReactNode][] = [
    ['time', <IstTime key="time" value={record.time} />],
    ['operator', operatorWord(t, record)],
    [
      'role',
      record.roleMark === null
        ? '—'
        : roleWord(t, record.roleMark, record.roleName ?? record.roleMark),
    ],
    ['menu', record.menu === null ? '—' : word(record.menuTitle ?? '', record.menu)],
    ['action', actionWord(t, record.action)],
    [
      'target',
      page && record.targetId !== null && index.byName.has(page[2]) ? (
        <Link
          key="target"
          href={`${page[0]}?${page[1]}=${encodeURIComponent(record.targetId)}&from=${page[2]}`}
          onClick={onClose}
        >
          {targetOf(record)}
        </Link>
      ) : (
        <>
          {targetOf(record) || '—'}
          {parameter && (
            <>
              {' '}
              ·{' '}
              <Suspense fallback={null}>
                <ParameterName {...parameter} />
              </Suspense>
            </>
          )}
        </>
      ),
    ],
    [
      'result',
      <StatusTag key="result" tone={record.result === 'ok' ? 'good' : 'warn'}>
        {record.result === 'ok'
          ? t('record.ok')
          : `${t('record.refused')} ${record.result.replace(/^refused:/, '')}`}
      </StatusTag>,
    ],
    ['ip', record.ip ?? '—'],
    ['agent', record.agent ?? '—'],
    ['requestId', record.requestId ?? '—'],
  ]
  return (
    <SideDrawer
      isOpen
      width={760}
      title={t('record.detail', { id: record.logId })}
      onClose={onClose}
    >
      <div className="access-drawer">
        <dl className="record-facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`record.col.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {all.length === 0 ? (
          <Empty icon="comparison" reason={t('record.noValues')} />
        ) : (
          <Values rows={changed} />
        )}
        {same.length > 0 && (
          <details>
            <summary>
              {t('record.unchanged')} ({same.length})
            </summary>
            <Values rows={same} />
          </details>
        )}
        <p className="access-hint">
          {record.chainNo === null
            ? t('record.notSealed')
            : t('record.sealed', { no: record.chainNo })}
        </p>
      </div>
    </SideDrawer>
  )
}

/** Records of one parameter state its code, and its name where it could be changed. */
function parameterOf({ targetKind, before, after }: Record): { code: string; name: string } | null {
  if (targetKind !== 'config') return null
  const said = {
    ...(before as { code?: string; name?: string } | null),
    ...(after as { code?: string; name?: string } | null),
  }
  return said.code === undefined ? null : { code: said.code, name: said.name ?? said.code }
}

function Values({ rows }: { rows: readonly Difference[] }): ReactNode {
  const t = useSay()
  return (
    <table className="record-values">
      <thead>
        <tr>
          {['field', 'before', 'after'].map((name) => (
            <th key={name} scope="col">
              {t(`record.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ path, before, after, isChanged }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td className={isChanged && before !== null ? 'is-removed' : ''}>{before ?? ''}</td>
            <td className={isChanged && after !== null ? 'is-added' : ''}>{after ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
