import './operate-log.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { RuleExpression, RuleTable } from '#client/features/rules/public.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { actionWord } from '../action-word.ts'
import { type Change, changedValues, fieldWord } from './change-words.ts'
import { EntryValues } from './EntryValues.tsx'

/** Values that people read as a tree or a table. */
const PICTURES = { expression: RuleExpression, table: RuleTable } as const

/** One change in full. */
export function ChangeDrawer({
  change,
  title,
  onClose,
}: {
  change: Change
  title: string
  onClose: () => void
}): ReactNode {
  const t = useText('access', 'notifications', 'collection')
  const { time, action, by, approvedBy, before, after } = change
  const values = changedValues(change)
    .filter(({ path }) => !/^(expression|table)(\.|$)/.test(path))
    .map((value) => ({ ...value, path: fieldWord(change, value.path, t) }))
  const pictures = (Object.keys(PICTURES) as (keyof typeof PICTURES)[]).flatMap((name) => {
    const [old, now] = [jsonOf(before, name), jsonOf(after, name)]
    return old === now ? [] : [{ name, old, now }]
  })
  return (
    <SideDrawer isOpen width={860} title={title} onClose={onClose}>
      <div className="access-drawer">
        <dl className="operate-log-facts">
          {(
            [
              ['time', <IstTime key="time" value={time} />],
              ['action', actionWord(t, action)],
              ['by', by ?? t('operateLog.system')],
              ['approvedBy', approvedBy ?? '—'],
            ] as const
          ).map(([name, value]) => (
            <div key={name}>
              <dt>{t(`changes.col.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {values.length > 0 && <EntryValues rows={values} />}
        {values.length + pictures.length === 0 && (
          <Empty icon="comparison" reason={t('operateLog.noValues')} />
        )}
        {pictures.map(({ name, old, now }) => {
          const Picture = PICTURES[name]
          return (
            <section key={name}>
              {old !== null && (
                <>
                  <h3>{t('operateLog.before')}</h3>
                  <Picture json={old} />
                </>
              )}
              {now !== null && (
                <>
                  <h3>{t('operateLog.after')}</h3>
                  <Picture json={now} />
                </>
              )}
            </section>
          )
        })}
      </div>
    </SideDrawer>
  )
}

function jsonOf(side: unknown, name: string): string | null {
  const value = (side as Record<string, unknown> | null)?.[name]
  return value === undefined || value === null ? null : JSON.stringify(value)
}
