/** All collection rules on one sheet. */
import { useText } from '#client/base/use-text.ts'
import '../collection.css'
import './rules.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLive } from '#client/live/use-live.ts'
import { useWatch } from '#client/live/watch.ts'
import { queryOf } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { collectionRules } from '#shared/collection/rules-api.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { RulesForm } from './RulesForm.tsx'
import type { Rules } from './rule-types.ts'

export function Screen(): ReactNode {
  const t = useText('collection')
  const rules = useQuery({ ...queryOf(collectionRules, {}, { quiet: true }), staleTime: 0 })
  useWatch('menu', 'collect_config')
  useLive([CONFIG_REFRESHED.type, 'stage.changed'], () => void rules.refetch())
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.collect_config')}</h1>
      {rules.error && <ErrorPane error={rules.error} onRetry={() => void rules.refetch()} />}
      {!rules.error && rules.data && (
        <Shown rules={rules.data} onSaved={() => void rules.refetch()} />
      )}
    </div>
  )
}

/** Keeps the edited version until it may be replaced. */
function Shown({ rules, onSaved }: { rules: Rules; onSaved: () => void }): ReactNode {
  const [shown, setShown] = useState(rules)
  return (
    <RulesForm
      key={shown.version}
      rules={shown}
      isOvertaken={rules.version !== shown.version}
      onRenew={() => setShown(rules)}
      onSaved={onSaved}
    />
  )
}
