import { useText } from '#client/base/use-text.ts'
import { type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import { ParameterName } from '#client/features/system/public.tsx'
import { useSession } from '#client/session/session-store.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { actionWord, operatorWord } from '../action-word.ts'
import { roleWord } from '../role-words.ts'
import { differencesOf, type LogEntry, targetOf } from './entry-diff.ts'
import { EntryValues } from './EntryValues.tsx'

/**
 * Kinds of targets with a page of their own: the page, its parameter, and the menu that grants
 * access.
 */
const PAGES: { readonly [kind: string]: readonly [path: string, field: string, menu: string] } = {
  order: ['/detail', 'orderId', 'order_list'],
  review: ['/detail2', 'reviewId', 'review_list'],
  case: ['/detail3', 'caseId', 'pedding_list'],
  ticket: ['/detail4', 'feedbackId', 'user_feedback'],
  role: ['/system/role_edit', 'roleId', 'role_edit'],
}

/** One operate log entry in full: its target, and its values before and after side by side. */
export function LogEntryDrawer({
  entry,
  word,
  onClose,
}: {
  entry: LogEntry
  word: (title: string, otherwise: string) => string
  onClose: () => void
}): ReactNode {
  const t = useText('access', 'notifications')
  const { index } = useSession()
  const all = differencesOf(entry.before, entry.after)
  const changed = all.filter((one) => one.isChanged)
  const same = all.filter((one) => !one.isChanged)
  const page = PAGES[entry.targetKind ?? '']
  const parameter = parameterOf(entry)
  const facts: [string, ReactNode][] = [
    ['time', <IstTime key="time" value={entry.time} />],
    ['operator', operatorWord(t, entry)],
    [
      'role',
      entry.roleMark === null ? '—' : roleWord(t, entry.roleMark, entry.roleName ?? entry.roleMark),
    ],
    ['menu', entry.menu === null ? '—' : word(entry.menuTitle ?? '', entry.menu)],
    ['action', actionWord(t, entry.action)],
    [
      'target',
      page && entry.targetId !== null && index.byName.has(page[2]) ? (
        <Link
          key="target"
          href={`${page[0]}?${page[1]}=${encodeURIComponent(entry.targetId)}&from=${page[2]}`}
          onClick={onClose}
        >
          {targetOf(entry)}
        </Link>
      ) : (
        <>
          {targetOf(entry) || '—'}
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
      <StatusTag key="result" tone={entry.result === 'ok' ? 'good' : 'warn'}>
        {entry.result === 'ok'
          ? t('operateLog.ok')
          : `${t('operateLog.refused')} ${entry.result.replace(/^refused:/, '')}`}
      </StatusTag>,
    ],
    ['ip', entry.ip ?? '—'],
    ['agent', entry.agent ?? '—'],
    ['requestId', entry.requestId ?? '—'],
  ]
  return (
    <SideDrawer
      isOpen
      width={760}
      title={t('operateLog.detail', { id: entry.logId })}
      onClose={onClose}
    >
      <div className="access-drawer">
        <dl className="operate-log-facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{t(`operateLog.col.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {all.length === 0 ? (
          <Empty icon="comparison" reason={t('operateLog.noValues')} />
        ) : (
          <EntryValues rows={changed} />
        )}
        {same.length > 0 && (
          <details>
            <summary>
              {t('operateLog.unchanged')} ({same.length})
            </summary>
            <EntryValues rows={same} />
          </details>
        )}
        <p className="access-hint">
          {entry.chainNo === null
            ? t('operateLog.notSealed')
            : t('operateLog.sealed', { no: entry.chainNo })}
        </p>
      </div>
    </SideDrawer>
  )
}

/** Entries of one parameter show its code, with its name where it can be changed. */
function parameterOf({
  targetKind,
  before,
  after,
}: LogEntry): { code: string; name: string } | null {
  if (targetKind !== 'config') return null
  const facts = {
    ...(before as { code?: string; name?: string } | null),
    ...(after as { code?: string; name?: string } | null),
  }
  return facts.code === undefined ? null : { code: facts.code, name: facts.name ?? facts.code }
}
